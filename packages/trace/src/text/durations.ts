/** Formats durations for people: about three digits and a unit. */
export function durationText(ns: number | undefined): string {
  if (ns === undefined) return '…';
  if (ns < 999_500) return `${Math.round(ns / 1e3)} µs`;
  if (ns < 999_950_000) return `${(ns / 1e6).toFixed(1)} ms`;
  return `${(ns / 1e9).toFixed(ns < 9_995_000_000 ? 2 : 1)} s`;
}

/** A point in time, relative to the beginning. */
export const momentText = (ns: number): string => {
  const sign = ns < 0 ? '' : '+';
  return Math.abs(ns) < 999_950_000
    ? `${sign}${(ns / 1e6).toFixed(1)} ms`
    : `${sign}${(ns / 1e9).toFixed(3)} s`;
};
