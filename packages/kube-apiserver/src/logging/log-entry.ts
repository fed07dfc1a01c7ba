/** A line of the log before it is written: how bad it is, what is said, and values by name. */

export type LogValue = string | number | boolean;

export interface LogEntry {
  readonly severity: 'info' | 'warning' | 'error';
  readonly message: string;
  /** Who says it, where that is told: `httplog`. */
  readonly source: string;
  readonly verbosity: number;
  readonly values: Readonly<Record<string, LogValue>>;
  readonly atMs: number;
}

export type LogFormat = (entry: LogEntry) => string;
