import { goQuote } from './go-quote.ts';

const nanosecondsPerUnit: Readonly<Record<string, number>> = {
  ns: 1,
  us: 1e3,
  µs: 1e3,
  μs: 1e3,
  ms: 1e6,
  s: 1e9,
  m: 60e9,
  h: 3600e9,
};

/**
 * Parses Go's duration syntax (`1h30m`, `1.5s`, `0`) into milliseconds.
 * @throws Error with the message of Go's `time.ParseDuration`
 */
export function parseGoDuration(text: string): number {
  const sign = text.startsWith('-') ? -1 : 1;
  let rest = text.replace(/^[-+]/, '');
  if (rest === '0') return 0;
  const invalid = () => new Error(`time: invalid duration ${goQuote(text)}`);
  if (rest === '') throw invalid();
  let nanoseconds = 0;
  while (rest !== '') {
    const part = /^(\d*)(?:(\.)(\d*))?([^.\d]*)/.exec(rest);
    const [all = '', whole = '', , fraction = '', unit = ''] = part ?? [];
    if (whole === '' && fraction === '') throw invalid();
    if (unit === '') throw new Error(`time: missing unit in duration ${goQuote(text)}`);
    const scale = nanosecondsPerUnit[unit];
    if (scale === undefined)
      throw new Error(`time: unknown unit ${goQuote(unit)} in duration ${goQuote(text)}`);
    nanoseconds += Number(`${whole || '0'}.${fraction || '0'}`) * scale;
    rest = rest.slice(all.length);
  }
  if (nanoseconds > 2 ** 63) throw invalid();
  return (sign * Math.trunc(nanoseconds)) / 1e6;
}

/** Formats milliseconds as Go does: `1m0s`, `1.5s`, `250ms`, `0s`. */
export function formatGoDuration(durationMs: number): string {
  if (durationMs === 0) return '0s';
  const sign = durationMs < 0 ? '-' : '';
  const nanoseconds = Math.round(Math.abs(durationMs) * 1e6);
  if (nanoseconds < 1e3) return `${sign}${nanoseconds}ns`;
  if (nanoseconds < 1e6) return `${sign}${nanoseconds / 1e3}µs`;
  if (nanoseconds < 1e9) return `${sign}${nanoseconds / 1e6}ms`;
  const wholeSeconds = Math.floor(nanoseconds / 1e9);
  const fraction = (nanoseconds % 1e9).toString().padStart(9, '0').replace(/0+$/, '');
  const hours = Math.floor(wholeSeconds / 3600);
  const minutes = Math.floor(wholeSeconds / 60) % 60;
  const seconds = `${wholeSeconds % 60}${fraction === '' ? '' : `.${fraction}`}s`;
  return sign + (hours > 0 ? `${hours}h${minutes}m` : minutes > 0 ? `${minutes}m` : '') + seconds;
}
