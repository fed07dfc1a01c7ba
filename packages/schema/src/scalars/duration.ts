/** Go's time.Duration as text (`1h15m30.5s`), which metav1.Duration fields and flags use. */

import { goTimeQuote } from './go-quote.ts';

const nanosecondsOf: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1_000n,
  µs: 1_000n,
  μs: 1_000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
};

const durationMaxNs = 2n ** 63n;

/**
 * In nanoseconds.
 * @throws Error with Go's message: `time: invalid duration "x"`, `time: missing unit in duration "1"`, …
 */
export function parseDuration(text: string): bigint {
  const negative = text.startsWith('-');
  let rest = /^[+-]/.test(text) ? text.slice(1) : text;
  if (rest === '0') return 0n;
  const invalid = () => new Error(`time: invalid duration ${goTimeQuote(text)}`);
  if (rest === '') throw invalid();
  let total = 0n;
  while (rest !== '') {
    const [number, integer = '', fraction = ''] = /^([0-9]*)(?:\.([0-9]*))?/.exec(rest)!;
    if (integer === '' && fraction === '') throw invalid();
    if (BigInt(integer || '0') > durationMaxNs) throw invalid();
    rest = rest.slice(number.length);
    const unit = /^[^.0-9]*/.exec(rest)![0];
    if (unit === '') throw new Error(`time: missing unit in duration ${goTimeQuote(text)}`);
    const scale = nanosecondsOf[unit];
    if (scale === undefined)
      throw new Error(`time: unknown unit ${goTimeQuote(unit)} in duration ${goTimeQuote(text)}`);
    rest = rest.slice(unit.length);
    total +=
      BigInt(integer || '0') * scale + (BigInt(fraction || '0') * scale) / 10n ** BigInt(fraction.length);
    if (total > durationMaxNs) throw invalid();
  }
  if (total === durationMaxNs && !negative) throw invalid();
  return negative ? -total : total;
}

/** In milliseconds, with fractions. @throws as {@link parseDuration} */
export const parseDurationMs = (text: string): number => Number(parseDuration(text)) / 1e6;

export const formatDurationMs = (ms: number): string => formatDuration(BigInt(Math.round(ms * 1e6)));

/** As Go prints it: `0s`, `1.5µs`, `300ms`, `1m0s`, `72h0m0.5s`. */
export function formatDuration(ns: bigint): string {
  if (ns === 0n) return '0s';
  const sign = ns < 0n ? '-' : '';
  const size = ns < 0n ? -ns : ns;
  if (size < 1_000n) return `${sign}${size}ns`;
  if (size < 1_000_000n) return `${sign}${decimal(size, 3)}µs`;
  if (size < 1_000_000_000n) return `${sign}${decimal(size, 6)}ms`;
  const minutes = size / 60_000_000_000n;
  const seconds = `${decimal(size % 60_000_000_000n, 9)}s`;
  if (minutes === 0n) return sign + seconds;
  return minutes < 60n
    ? `${sign}${minutes}m${seconds}`
    : `${sign}${minutes / 60n}h${minutes % 60n}m${seconds}`;
}

/** `value / 10^places` without trailing zeros. */
function decimal(value: bigint, places: number): string {
  const digits = value.toString().padStart(places + 1, '0');
  const fraction = digits.slice(-places).replace(/0+$/, '');
  return fraction === '' ? digits.slice(0, -places) : `${digits.slice(0, -places)}.${fraction}`;
}
