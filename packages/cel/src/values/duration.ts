/** A span of time in nanoseconds, within 64 bits as Go's. */
export class Duration {
  readonly nanoseconds: bigint;

  constructor(nanoseconds: bigint) {
    this.nanoseconds = nanoseconds;
  }
}

const unitNanoseconds: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1_000n,
  µs: 1_000n,
  μs: 1_000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
};

export const durationMax = (1n << 63n) - 1n;
export const durationMin = -(1n << 63n);

export const isDurationInRange = (nanoseconds: bigint): boolean =>
  nanoseconds >= durationMin && nanoseconds <= durationMax;

/** Parses Go's notation: `1h30m`, `-1.5s`, `0`; undefined if invalid or beyond 64 bits. */
export function parseDuration(text: string): Duration | undefined {
  const [, sign, body] = /^([+-]?)(.*)$/s.exec(text)!;
  if (body === '0') return new Duration(0n);
  if (!/^(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+$/.test(body!)) return undefined;
  let total = 0n;
  for (const [, whole, fraction, unit] of body!.matchAll(/(\d*)(?:\.(\d*))?(ns|us|µs|μs|ms|s|m|h)/g)) {
    total += termNanoseconds(whole!, fraction ?? '', unitNanoseconds[unit!]!);
  }
  const nanoseconds = sign === '-' ? -total : total;
  return isDurationInRange(nanoseconds) ? new Duration(nanoseconds) : undefined;
}

const termNanoseconds = (whole: string, fraction: string, unit: bigint): bigint =>
  BigInt(whole || '0') * unit +
  (fraction === '' ? 0n : (BigInt(fraction) * unit) / 10n ** BigInt(fraction.length));

/** In seconds with as many decimals as necessary: `5400s`, `-1.5s`. */
export function formatDurationSeconds({ nanoseconds }: Duration): string {
  const magnitude = nanoseconds < 0n ? -nanoseconds : nanoseconds;
  const whole = magnitude / 1_000_000_000n;
  const fraction = (magnitude % 1_000_000_000n).toString().padStart(9, '0').replace(/0+$/, '');
  return `${nanoseconds < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}s`;
}
