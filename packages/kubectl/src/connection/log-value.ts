/** Formats a value as klog does: quoted, or with several lines indented between brackets. */
export function logValue(text: string): string {
  if (!text.includes('\n')) return JSON.stringify(text);
  const lines = text.endsWith('\n') ? text.slice(0, -1).split('\n') : text.split('\n');
  return `<\n${lines.map((line) => `\t${line}\n`).join('')} >`;
}
