import { Duration, isDurationInRange, parseDuration } from './duration.ts';

const unitNanoseconds: readonly (readonly [RegExp, bigint])[] = [
  [/^(ns|nano|nanos|nanosecond|nanoseconds)$/, 1n],
  [/^(us|µs|micro|micros|microsecond|microseconds)$/, 1_000n],
  [/^(ms|milli|millis|millisecond|milliseconds)$/, 1_000_000n],
  [/^(s|sec|secs|second|seconds)$/, 1_000_000_000n],
  [/^(m|min|mins|minute|minutes)$/, 60_000_000_000n],
  [/^(h|hr|hrs|hour|hours)$/, 3_600_000_000_000n],
  [/^(d|day|days)$/, 86_400_000_000_000n],
  [/^(w|wk|wks|week|weeks)$/, 604_800_000_000_000n],
];

/** OpenAPI's format `duration`: Go's notation, or terms with long unit names: `1 week 2 days`. */
export function parseLenientDuration(text: string): Duration | undefined {
  const plain = parseDuration(text);
  if (plain) return plain;
  let total = 0n;
  let found = false;
  for (const [, digits, unit] of text.matchAll(/(-?\d+)\s*([A-Za-zµ]+)/g)) {
    const known = unitNanoseconds.find(([pattern]) => pattern.test(unit!));
    if (!known) return undefined;
    total += BigInt(digits!) * known[1];
    found = true;
  }
  return found && isDurationInRange(total) ? new Duration(total) : undefined;
}
