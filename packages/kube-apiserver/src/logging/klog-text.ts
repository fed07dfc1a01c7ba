/** The log format `text`: `I1121 00:24:00.724239    8159 httplog] "HTTP" verb="GET" …`, as klog writes it. */
import { goQuote } from '@coxswain/apimachinery/go-quote.ts';
import type { LogFormat, LogValue } from './log-entry.ts';

const letters = { info: 'I', warning: 'W', error: 'E' } as const;

/** The width of the process id. */
const pidWidth = 7;

export const klogText =
  (pid: number): LogFormat =>
  (entry) => {
    const head = `${letters[entry.severity]}${timeText(entry.atMs)} ${String(pid).padStart(pidWidth)} ${entry.source}] `;
    const values = Object.entries(entry.values).map(([name, value]) => ` ${name}=${valueText(value)}`);
    // A message with values is quoted to separate it from them.
    const message = values.length === 0 ? plainLines(entry.message) : goQuote(entry.message);
    return `${head}${message}${values.join('')}\n`;
  };

const valueText = (value: LogValue): string => (typeof value === 'string' ? goQuote(value) : String(value));

/** `1121 00:24:00.724000`, in UTC. */
function timeText(atMs: number): string {
  const iso = new Date(atMs).toISOString();
  return `${iso.slice(5, 7)}${iso.slice(8, 10)} ${iso.slice(11, 23)}000`;
}

// eslint-disable-next-line no-control-regex
const control = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** Prevents client input from looking like a line of its own, or from controlling a terminal. */
const plainLines = (message: string): string =>
  message
    .replace(control, (sign) => `\\x${sign.charCodeAt(0).toString(16).padStart(2, '0')}`)
    .replaceAll('\n', '\n\t');
