/** Writes the condition of a flow schema if it is missing or outdated, and retries until it succeeds. */
import { formatTime, type Clock, type Random } from '@coxswain/apimachinery';
import type { FlowSchema } from '@coxswain/api/flowcontrol/v1/flow-schema.ts';
import type { Transport } from '@coxswain/client/transport.ts';
import { applyCondition } from '../bootstrap/apply-condition.ts';
import { danglingCondition, isReported } from './dangling-condition.ts';

export interface DanglingReporterParts {
  /** As the server's own user. */
  readonly transport: () => Transport;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: (line: string) => void;
}

/** Returns the current state; undefined when the schema was deleted. */
export type DanglingFacts = () => { readonly schema: FlowSchema; readonly levelExists: boolean } | undefined;

const consumer = 'api-priority-and-fairness-config-consumer-v1';

/** Servers that disagree would write endlessly, so each pauses after this many writes per minute. */
const writesPerMinuteMax = 6;
const minuteMs = 60_000;
const pauseMs = { min: 30_000, more: 45_000 };
const retryMs = { first: 200, max: 60_000 };

export class DanglingReferenceReporter {
  readonly #parts: DanglingReporterParts;
  readonly #reporting = new Map<string, Promise<void>>();
  readonly #writtenAtMs = new Map<string, readonly number[]>();
  #isStopped = false;

  constructor(parts: DanglingReporterParts) {
    this.#parts = parts;
  }

  /** Resolves when the condition is written, or cannot be for now. Each schema is handled by one call at a time. */
  report(name: string, facts: DanglingFacts): Promise<void> {
    const before = this.#reporting.get(name);
    if (before !== undefined) return before;
    const reporting = this.#reportUntilTrue(name, facts, retryMs.first).finally(() =>
      this.#reporting.delete(name),
    );
    this.#reporting.set(name, reporting);
    return reporting;
  }

  stop(): void {
    this.#isStopped = true;
  }

  async #reportUntilTrue(name: string, facts: DanglingFacts, retryAfterMs: number): Promise<void> {
    const { clock, log } = this.#parts;
    while (!this.#isStopped) {
      const now = facts();
      if (now === undefined) return void this.#writtenAtMs.delete(name);
      const level = now.schema.spec.priorityLevelConfiguration.name;
      const condition = danglingCondition(level, now.levelExists, formatTime(clock.now()));
      if (isReported(now.schema, condition)) return;
      if (this.#mustPause(name)) return this.#later(name, facts, retryAfterMs, this.#pauseMs());
      const code = await this.#write(name, condition).catch((failure: unknown) => {
        log(`flow schema ${name}: ${String(failure)}`);
        return 0;
      });
      if (code === 404) return;
      if (code < 200 || code >= 300) {
        return this.#later(name, facts, Math.min(2 * retryAfterMs, retryMs.max), retryAfterMs);
      }
      // The cache may see the write a moment later, which leads here again.
      if (facts()?.schema === now.schema) return;
    }
  }

  #write(name: string, condition: object): Promise<number> {
    const { transport, log, clock } = this.#parts;
    this.#writtenAtMs.set(name, [...this.#lastMinute(name), clock.monotonic()]);
    return applyCondition(
      { transport: transport(), log },
      {
        apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
        kind: 'FlowSchema',
        resource: 'flowschemas',
        name,
        manager: consumer,
        condition,
      },
    );
  }

  #later(name: string, facts: DanglingFacts, nextRetryMs: number, delayMs: number): void {
    const again = () => {
      if (this.#isStopped || this.#reporting.has(name)) return;
      const reporting = this.#reportUntilTrue(name, facts, nextRetryMs);
      this.#reporting.set(
        name,
        reporting.finally(() => this.#reporting.delete(name)),
      );
    };
    this.#parts.clock.after(delayMs, again, { idle: true });
  }

  #mustPause(name: string): boolean {
    return this.#lastMinute(name).length >= writesPerMinuteMax;
  }

  #lastMinute(name: string): readonly number[] {
    const sinceMs = this.#parts.clock.monotonic() - minuteMs;
    return (this.#writtenAtMs.get(name) ?? []).filter((atMs) => atMs >= sinceMs);
  }

  #pauseMs(): number {
    return pauseMs.min + Math.floor(this.#parts.random.next() * pauseMs.more);
  }
}
