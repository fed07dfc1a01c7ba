/**
 * A server's life, in the original's order.
 *
 * Start: audit back end → listener → post-start hooks, each of which is a health check until it is done.
 * Stop: readiness fails at once → pre-shutdown hooks, and the delay in which load balancers notice →
 * new requests are refused → listener closed → what is under way is awaited → watches ended → audit flushed.
 */
import type { Clock } from '@coxswain/apimachinery';
import type { AuditBackend } from '../audit/audit-event.ts';
import type { HealthCheck } from '../health/health-check.ts';
import type { RequestCounter } from './request-counter.ts';

/** A thing to do once the server listens. Rejecting is fatal: the server stops. */
export interface PostStartHook {
  readonly name: string;
  start(signal: AbortSignal): void | Promise<void>;
}

export interface PreShutdownHook {
  readonly name: string;
  stop(): void | Promise<void>;
}

export interface Listener {
  stopListening(): void;
  close(graceMs: number): Promise<void>;
}

export interface ServerLifeOptions {
  readonly clock: Clock;
  readonly log: (line: string) => void;
  readonly inFlight: RequestCounter;
  readonly auditBackend?: Pick<AuditBackend, 'flush'> | undefined;
  /** How long the server goes on as if nothing was, after it is told to stop. */
  readonly shutdownDelayMs: number;
  /** How long what is under way may take. */
  readonly drainMsMax: number;
}

export class ServerLife {
  readonly #options: ServerLifeOptions;
  readonly #postStart: PostStartHook[] = [];
  readonly #preShutdown: PreShutdownHook[] = [];
  readonly #pending = new Map<string, 'waiting' | 'done' | 'failed'>();
  readonly #stopping = new AbortController();
  #refuses = false;
  #listener: Listener | undefined;
  #stopped: Promise<void> | undefined;

  constructor(options: ServerLifeOptions) {
    this.#options = options;
  }

  /** Whether new requests are refused by now; the filter `retryAfter` asks. */
  get refusesNewRequests(): boolean {
    return this.#refuses;
  }

  get isStopping(): boolean {
    return this.#stopping.signal.aborted;
  }

  /** Aborts when the server is told to stop: controllers inside it end. */
  get signal(): AbortSignal {
    return this.#stopping.signal;
  }

  /** @throws Error when a hook of that name is there, or the server runs already */
  addPostStartHook(hook: PostStartHook): void {
    if (this.#pending.has(hook.name))
      throw new Error(`post-start hook ${JSON.stringify(hook.name)} is registered twice`);
    if (this.#listener !== undefined)
      throw new Error(`post-start hook ${JSON.stringify(hook.name)} comes after the start`);
    this.#pending.set(hook.name, 'waiting');
    this.#postStart.push(hook);
  }

  addPreShutdownHook(hook: PreShutdownHook): void {
    this.#preShutdown.push(hook);
  }

  /** One check per post-start hook, and for readiness that the server isn't stopping. */
  healthChecks(): readonly HealthCheck[] {
    return [...this.#pending.keys()].map((name) => ({
      name: `poststarthook/${name}`,
      check: () => (this.#pending.get(name) === 'done' ? undefined : 'not finished'),
    }));
  }

  readonly shutdownCheck: HealthCheck = {
    name: 'shutdown',
    check: () => (this.isStopping ? 'process is shutting down' : undefined),
  };

  /** Opens the listener and runs the post-start hooks. @throws what the listener or a hook throws */
  async start(listen: () => Promise<Listener>): Promise<void> {
    this.#listener = await listen();
    const failures: unknown[] = [];
    await Promise.all(
      this.#postStart.map(async (hook) => {
        try {
          await hook.start(this.#stopping.signal);
          this.#pending.set(hook.name, 'done');
        } catch (failure) {
          this.#pending.set(hook.name, 'failed');
          this.#options.log(`post-start hook ${JSON.stringify(hook.name)} failed: ${String(failure)}`);
          failures.push(failure);
        }
      }),
    );
    if (failures.length > 0) throw failures[0];
  }

  /** Resolves when all is closed. A second call waits for the first. */
  stop(): Promise<void> {
    return (this.#stopped ??= this.#stop());
  }

  async #stop(): Promise<void> {
    const { clock, inFlight, auditBackend, shutdownDelayMs, drainMsMax, log } = this.#options;
    this.#stopping.abort();
    const hooks = this.#preShutdown.map(async (hook) => {
      try {
        await hook.stop();
      } catch (failure) {
        log(`pre-shutdown hook ${JSON.stringify(hook.name)} failed: ${String(failure)}`);
      }
    });
    await Promise.all([...hooks, shutdownDelayMs > 0 ? clock.sleep(shutdownDelayMs) : undefined]);
    this.#refuses = true;
    this.#listener?.stopListening();
    await withinMs(clock, drainMsMax, inFlight.drained());
    await this.#listener?.close(lastWritesMs);
    await auditBackend?.flush();
  }
}

/** What is left for answers on their way and for watchers to hear of their end. */
const lastWritesMs = 250;

function withinMs(clock: Clock, limitMs: number, done: Promise<void>): Promise<void> {
  return new Promise((resolve) => {
    const timer = clock.after(limitMs, resolve);
    void done.then(() => {
      timer.cancel();
      resolve();
    });
  });
}
