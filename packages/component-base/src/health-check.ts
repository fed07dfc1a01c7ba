/** A named health check. */
export interface HealthCheck {
  readonly name: string;
  /** The problem; undefined if there is none. */
  check(): string | undefined | Promise<string | undefined>;
}

export const ping: HealthCheck = { name: 'ping', check: () => undefined };
/** Always healthy: writing a log line is a function call in this process. */
export const log: HealthCheck = { name: 'log', check: () => undefined };
