/**
 * A server's life, in the original's order.
 *
 * Start: audit back end → listener → post-start hooks, each of which is a health check until it is done.
 * Stop: readiness fails at once → pre-shutdown hooks, and the delay in which load balancers notice → new requests
 * are refused → what is under way is awaited, and watches are ended in order → audit flushed → connections closed.
 * The listener is closed when requests are refused, or, where they are told to come again, when all is done.
 */
import { here, runStep, scopeOf, type Clock, type StepObserver, type Work } from '@coxswain/apimachinery';
import type { AuditBackend } from '../audit/audit-event.ts';
import type { HealthCheck } from '@coxswain/component-base/health-check.ts';
import type { OpenWatches } from './open-watches.ts';
import type { RequestCounter } from './request-counter.ts';

/** A thing to do once the server listens. Rejecting is fatal: the server stops. */
export interface PostStartHook {
  readonly name: string;
  start(signal: AbortSignal): void | Promise<void>;
  /** The function that does the work, where `start` only waits and calls it. */
  readonly work?: Work;
}

export interface PreShutdownHook {
  readonly name: string;
  stop(): void | Promise<void>;
}

export interface Listener {
  stopListening(): void;
  close(graceMs: number): Promise<void>;
}

export interface ServerLifecycleOptions {
  readonly clock: Clock;
  readonly log: (line: string) => void;
  readonly observer?: StepObserver | undefined;
  readonly inFlight: RequestCounter;
  readonly auditBackend?: Pick<AuditBackend, 'flush'> | undefined;
  /** How long the server goes on as if nothing was, after it is told to stop. */
  readonly shutdownDelayMs: number;
  /** How long what is under way may take. */
  readonly drainMsMax: number;
  /** How long what is not complete yet counts as alive. */
  readonly livezGraceMs?: number;
  /** Whether new requests are told when to come again, while what is under way is awaited. */
  readonly sendsRetryAfter?: boolean;
  readonly openWatches?: OpenWatches;
  /** In how long watches are ended, one after the other; 0: all at the very end. */
  readonly watchTerminationMs?: number;
  /** Is told when the server is complete. */
  readonly notifyReady?: (() => void) | undefined;
}

export class ServerLifecycle {
  readonly #options: ServerLifecycleOptions;
  readonly #postStart: PostStartHook[] = [];
  readonly #preShutdown: PreShutdownHook[] = [];
  readonly #pending = new Map<string, 'waiting' | 'done' | 'failed'>();
  readonly #checks: HealthCheck[] = [];
  readonly #createdAtMs: number;
  readonly #stopping = new AbortController();
  #refuses = false;
  #listener: Listener | undefined;
  #stopped: Promise<void> | undefined;

  constructor(options: ServerLifecycleOptions) {
    this.#options = options;
    this.#createdAtMs = options.clock.monotonic();
  }

  /** Whether new requests are refused by now; filters ask. */
  get refusesNewRequests(): boolean {
    return this.#refuses;
  }

  get sendsRetryAfter(): boolean {
    return this.#options.sendsRetryAfter ?? false;
  }

  get endsWatches(): boolean {
    return (this.#options.watchTerminationMs ?? 0) > 0;
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
    this.#checks.push({
      name: `poststarthook/${hook.name}`,
      check: () => (this.#pending.get(hook.name) === 'done' ? undefined : 'not finished'),
    });
  }

  /** Something else that must be done before the server is complete; it is told in turn with the hooks. */
  addBootCheck(check: HealthCheck): void {
    this.#checks.push(check);
  }

  addPreShutdownHook(hook: PreShutdownHook): void {
    this.#preShutdown.push(hook);
  }

  /** One check per post-start hook. */
  healthChecks(): readonly HealthCheck[] {
    return this.#checks;
  }

  /** The same for liveness: at first all is well, so that nobody restarts a server that is still starting. */
  liveChecks(): readonly HealthCheck[] {
    const { clock, livezGraceMs = 0 } = this.#options;
    if (clock.monotonic() - this.#createdAtMs >= livezGraceMs) return this.#checks;
    return this.#checks.map(({ name }) => ({ name, check: () => undefined }));
  }

  readonly shutdownCheck: HealthCheck = {
    name: 'shutdown',
    check: () => (this.isStopping ? 'process is shutting down' : undefined),
  };

  /** Opens the listener and runs the post-start hooks. @throws what the listener or a hook throws */
  start(listen: () => Promise<Listener>): Promise<void> {
    const scope = this.#undertaking('start');
    return runStep(scope, here`start`, () => this.#start(listen, scope), undefined, this.#start);
  }

  async #start(listen: () => Promise<Listener>, scope: StepObserver | undefined): Promise<void> {
    this.#listener = await runStep(scope, here`listen`, listen);
    const failures: unknown[] = [];
    await Promise.all(
      this.#postStart.map(async (hook) => {
        try {
          const run = () => hook.start(this.#stopping.signal);
          await runStep(scope, `post-start-hook/${hook.name}`, run, undefined, hook.work ?? hook.start);
          this.#pending.set(hook.name, 'done');
        } catch (failure) {
          this.#pending.set(hook.name, 'failed');
          this.#options.log(`post-start hook ${JSON.stringify(hook.name)} failed: ${String(failure)}`);
          failures.push(failure);
        }
      }),
    );
    if (failures.length > 0) throw failures[0];
    this.#options.notifyReady?.();
  }

  /** Resolves when all is closed. A second call waits for the first. */
  stop(): Promise<void> {
    const scope = this.#undertaking('stop');
    return (this.#stopped ??= runStep(scope, here`stop`, () => this.#stop(scope), undefined, this.#stop));
  }

  #undertaking(kind: 'start' | 'stop'): StepObserver | undefined {
    return scopeOf(this.#options.observer, () => ({
      kind,
      component: 'kube-apiserver',
      name: 'kube-apiserver',
    }));
  }

  async #stop(scope: StepObserver | undefined): Promise<void> {
    const { auditBackend, openWatches } = this.#options;
    this.#stopping.abort();
    await runStep(scope, here`leave`, () => this.#leave(scope), undefined, this.#leave);
    this.#refuses = true;
    if (!this.sendsRetryAfter) this.#listener?.stopListening();
    await Promise.all([
      runStep(scope, here`drain`, () => this.#drained(), undefined, this.#drained),
      runStep(scope, here`end-watches`, () => this.#watchesEnded(), undefined, this.#watchesEnded),
    ]);
    this.#listener?.stopListening();
    openWatches?.endAll();
    const closeMs = this.sendsRetryAfter ? closingMsMax : lastWritesMs;
    await runStep(scope, here`close-connections`, async () => this.#listener?.close(closeMs));
    await runStep(scope, here`flush-audit`, async () => auditBackend?.flush());
  }

  /** The delay in which others notice, and what the server puts in order meanwhile. */
  async #leave(scope: StepObserver | undefined): Promise<void> {
    const { clock, shutdownDelayMs, log } = this.#options;
    const hooks = this.#preShutdown.map(async (hook) => {
      try {
        await runStep(scope, `pre-shutdown-hook/${hook.name}`, () => hook.stop(), undefined, hook.stop);
      } catch (failure) {
        log(`pre-shutdown hook ${JSON.stringify(hook.name)} failed: ${String(failure)}`);
      }
    });
    await Promise.all([...hooks, shutdownDelayMs > 0 ? clock.sleep(shutdownDelayMs) : undefined]);
  }

  #drained(): Promise<void> {
    const { clock, inFlight, drainMsMax } = this.#options;
    return withinMs(clock, drainMsMax, inFlight.drained());
  }

  async #watchesEnded(): Promise<void> {
    const { clock, openWatches, watchTerminationMs = 0 } = this.#options;
    if (watchTerminationMs > 0) await openWatches?.end(clock, watchTerminationMs);
  }
}

/** As in the original: a client has this long to answer to GOAWAY. */
const closingMsMax = 2_000;

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
