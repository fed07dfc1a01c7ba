/** A log entry before formatting: severity, message, and named values. */

export type LogValue = string | number | boolean;

export interface LogEntry {
  readonly severity: 'info' | 'warning' | 'error';
  readonly message: string;
  /** The source, if the format includes it: `httplog`. */
  readonly source: string;
  readonly verbosity: number;
  readonly values: Readonly<Record<string, LogValue>>;
  readonly atMs: number;
}

export type LogFormat = (entry: LogEntry) => string;
