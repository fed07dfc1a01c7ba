/** As kubectl writes it, with the largest unit only. */
export function ageOf(timestamp: string | undefined, nowMs: number): string {
  if (timestamp === undefined) return '';
  const seconds = Math.max(0, Math.round((nowMs - Date.parse(timestamp)) / 1000));
  if (seconds < 120) return `${seconds}s`;
  if (seconds < 7200) return `${Math.floor(seconds / 60)}m`;
  return seconds < 172_800 ? `${Math.floor(seconds / 3600)}h` : `${Math.floor(seconds / 86_400)}d`;
}
