/** The format `json`: an object a line, with the members of the original. */
import type { LogFormat } from './log-entry.ts';

export const jsonLines: LogFormat = ({ severity, message, source, verbosity, values, atMs }) => {
  const entry = {
    ts: atMs,
    caller: source,
    msg: message,
    // Errors have no verbosity: they are always told.
    ...(severity === 'error' ? undefined : { v: verbosity }),
    ...values,
  };
  return `${JSON.stringify(entry)}\n`;
};
