/** Named liveness and readiness checks. */

import { messageOf } from '@coxswain/apimachinery/message-of.ts';

/** Throws, or rejects, with the problem. */
export type Check = () => void | Promise<void>;

/** The result of a check. */
export interface CheckResult {
  readonly name: string;
  /** The problem; undefined if the check has passed. */
  readonly failure?: string;
}

/**
 * Named checks, which `probeServer` of `@coxswain/controller/node` serves as `/healthz` and `/readyz`.
 * @example
 * manager.healthChecks.add('database', () => database.ping());
 * const results = await manager.healthChecks.run();
 * console.log(results?.filter(({ failure }) => failure !== undefined));
 */
export class HealthChecks {
  readonly #checks = new Map<string, Check>();

  /** @throws Error if the name is taken */
  add(name: string, check: Check): void {
    if (this.#checks.has(name)) throw new Error(`check "${name}" already exists`);
    this.#checks.set(name, check);
  }

  /** Runs all checks, or the one with this name; undefined if there is none. */
  async run(only?: string): Promise<readonly CheckResult[] | undefined> {
    if (only !== undefined && !this.#checks.has(only)) return undefined;
    const chosen = [...this.#checks].filter(([name]) => only === undefined || name === only);
    return Promise.all(chosen.map(([name, check]) => resultOf(name, check)));
  }
}

async function resultOf(name: string, check: Check): Promise<CheckResult> {
  try {
    await check();
    return { name };
  } catch (error) {
    return { name, failure: messageOf(error) };
  }
}
