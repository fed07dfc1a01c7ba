/** One named answer to "are you well?". */
export interface HealthCheck {
  readonly name: string;
  /** What is wrong, or undefined. */
  check(): string | undefined | Promise<string | undefined>;
}

export const ping: HealthCheck = { name: 'ping', check: () => undefined };
/** The log takes lines: it is a function of this process. */
export const log: HealthCheck = { name: 'log', check: () => undefined };
