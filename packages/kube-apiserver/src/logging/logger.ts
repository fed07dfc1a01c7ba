/** The log of a server: entries are filtered by verbosity and written in the configured format. */
import type { Clock } from '@coxswain/apimachinery';
import { requestVerbosity, type Verbosity } from '@coxswain/apiserver/debug/verbosity.ts';
import type { RequestLog } from '@coxswain/apiserver/filters/log-request.ts';
import type { LogEntry, LogFormat, LogValue } from './log-entry.ts';

export interface LoggerOptions {
  readonly clock: Clock;
  readonly format: LogFormat;
  readonly verbosity: Verbosity;
  readonly write: (text: string) => void;
  /** `--vmodule`: levels by source pattern. */
  readonly bySource?: readonly SourceVerbosity[];
}

export interface SourceVerbosity {
  readonly pattern: RegExp;
  readonly level: number;
}

export class Logger {
  readonly verbosity: Verbosity;
  readonly #options: LoggerOptions;

  constructor(options: LoggerOptions) {
    this.#options = options;
    this.verbosity = options.verbosity;
  }

  /** Logs a line; one that reports a failure is an error. */
  readonly line = (message: string): void => {
    const severity = /\b(failed|panic'd|Unable to|Error )\b/.test(message) ? 'error' : 'info';
    this.#write({ severity, message, source: 'server', verbosity: 0, values: {} });
  };

  /** Logs requests: all of them from a verbosity on, slow and failed ones always. */
  readonly requests: RequestLog = {
    isEveryReported: () => this.#levelOf('httplog') >= requestVerbosity,
    write: (message, values) =>
      this.#write({ severity: 'info', message, source: 'httplog', verbosity: 0, values }),
  };

  /** Logs an entry from a verbosity on. */
  info(verbosity: number, source: string, message: string, values: Readonly<Record<string, LogValue>>): void {
    if (this.#levelOf(source) < verbosity) return;
    this.#write({ severity: 'info', message, source, verbosity, values });
  }

  #levelOf(source: string): number {
    const found = this.#options.bySource?.find(({ pattern }) => pattern.test(source));
    return found?.level ?? this.verbosity.level;
  }

  #write(entry: Omit<LogEntry, 'atMs'>): void {
    const { clock, format, write } = this.#options;
    write(format({ ...entry, atMs: clock.now() }));
  }
}
