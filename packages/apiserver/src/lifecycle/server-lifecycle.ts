/**
 * The lifecycle of a server, in upstream's order.
 *
 * Start: audit back end → listener → post-start hooks, each of which fails a health check until it is done. Stop:
 * readiness fails at once → pre-shutdown hooks, and the delay in which load balancers notice → new requests are refused
 * → requests in progress complete, and watches are ended in order → audit flushed → connections closed. The listener
 * closes when requests are refused, or, if refusals include Retry-After, when all is done.
 */
import { here, runStep, scopeOf, type Clock, type StepObserver, type Work } from '@coxswain/apimachinery';
import type { AuditBackend } from '../audit/audit-event.ts';
import type { HealthCheck } from '@coxswain/component-base/health-check.ts';
import type { OpenWatches } from './open-watches.ts';
import type { RequestCounter } from './request-counter.ts';

/** A task that starts once the server listens. If it rejects, the server stops. */
export interface PostStartHook {
  readonly name: string;
  start(signal: AbortSignal): void | Promise<void>;
  /** The function that does the work, if `start` only waits and calls it. */
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
  /** How long the server continues normally after it was asked to stop. */
  readonly shutdownDelayMs: number;
  /** How long requests in progress may take. */
  readonly drainMsMax: number;
  /** How long an incomplete server counts as alive. */
  readonly livezGraceMs?: number;
  /** Whether new requests are refused with Retry-After while those in progress complete. */
  readonly sendsRetryAfter?: boolean;
  readonly openWatches?: OpenWatches;
  /** The time over which watches are ended one after the other; 0 ends all of them last. */
  readonly watchTerminationMs?: number;
  /** Called when new requests begin to be refused, to refuse those that have not been begun. */
  readonly onRefusal?: (() => void) | undefined;
  /** Called when the server is ready. */
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

  /** Whether new requests are refused; checked by filters. */
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

  /** A signal that aborts when the server is asked to stop, which ends its controllers. */
  get signal(): AbortSignal {
    return this.#stopping.signal;
  }

  /** @throws Error when a hook of that name exists or the server is already running */
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

  /** Adds another condition for readiness, reported in order with the hooks. */
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

  /**
   * The same checks for liveness, which pass during a grace period so that nobody restarts a server that is still
   * starting.
   */
  liveChecks(): readonly HealthCheck[] {
    const { clock, livezGraceMs = 0 } = this.#options;
    if (clock.monotonic() - this.#createdAtMs >= livezGraceMs) return this.#checks;
    return this.#checks.map(({ name }) => ({ name, check: () => undefined }));
  }

  readonly shutdownCheck: HealthCheck = {
    name: 'shutdown',
    check: () => (this.isStopping ? 'process is shutting down' : undefined),
  };

  /** Opens the listener and runs the post-start hooks. @throws whatever the listener or a hook throws */
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
          // Several hooks wait for the same work.
          if (!failures.includes(failure))
            this.#options.log(`post-start hook ${JSON.stringify(hook.name)} failed: ${String(failure)}`);
          failures.push(failure);
        }
      }),
    );
    if (failures.length > 0) throw failures[0];
    this.#options.notifyReady?.();
  }

  /** Resolves when everything is closed. A second call waits for the first. */
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
    this.#options.onRefusal?.();
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

  /** Waits until load balancers have noticed, and runs the pre-shutdown hooks meanwhile. */
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

/** As upstream: how long clients have to react to GOAWAY. */
const closingMsMax = 2_000;

/** Reserved for sending pending responses and for ending watches. */
const lastWritesMs = 250;

function withinMs(clock: Clock, limitMs: number, done: Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = clock.after(limitMs, resolve);
    done.finally(() => timer.cancel()).then(resolve, reject);
  });
}
