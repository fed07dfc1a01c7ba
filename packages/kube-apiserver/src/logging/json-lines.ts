/** The log format `json`: one object per line, with upstream's members. */
import type { LogFormat } from './log-entry.ts';

export const jsonLines: LogFormat = ({ severity, message, source, verbosity, values, atMs }) => {
  const entry = {
    ts: atMs,
    caller: source,
    msg: message,
    // Errors have no verbosity: they are always logged.
    ...(severity === 'error' ? undefined : { v: verbosity }),
    ...values,
  };
  return `${JSON.stringify(entry)}\n`;
};
