/** Formats a line of the log as klog does: severity, month and day, time, process, source. */
export function logLine(severity: 'I' | 'W' | 'E' | 'F', nowMs: number, text: string): string {
  const iso = new Date(nowMs).toISOString();
  return `${severity}${iso.slice(5, 7)}${iso.slice(8, 10)} ${iso.slice(11, 23)}000    1 kubectl.ts:1] ${text}\n`;
}
