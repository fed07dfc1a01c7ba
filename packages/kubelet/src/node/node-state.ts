/**
 * The state of the node as its kubelet's parts observe it; created before all of them. The part that reports it to the
 * API listens.
 */
import type { Clock } from '@coxswain/apimachinery';

/** The node conditions that report a shortage. */
export type NodePressure = 'MemoryPressure' | 'DiskPressure' | 'PIDPressure';

/** How long the runtime may be unresponsive before the node counts as not ready. */
const silenceMsMax = 30_000;

export class NodeState {
  /** The port on which the kubelet listens. */
  port: number;
  readonly #clock: Clock;
  readonly #onError: (error: unknown) => void;
  #pressures: readonly NodePressure[] = [];
  #stopping: string | undefined;
  #silentSinceMs: number | undefined;
  readonly #listeners: (() => Promise<void>)[] = [];

  constructor(port: number, clock: Clock, onError: (error: unknown) => void) {
    this.port = port;
    this.#clock = clock;
    this.#onError = onError;
  }

  has(pressure: NodePressure): boolean {
    return this.#pressures.includes(pressure);
  }

  /** The reasons why the node is not ready. */
  troubles(): { readonly runtime: readonly string[]; readonly machine: readonly string[] } {
    const silentMs = this.#silentSinceMs === undefined ? 0 : this.#clock.monotonic() - this.#silentSinceMs;
    return {
      runtime: silentMs < silenceMsMax ? [] : ['container runtime is down'],
      machine: this.#stopping === undefined ? [] : [this.#stopping],
    };
  }

  /** Called after each reading of the runtime. */
  runtimeAnswered(error: unknown): void {
    if (error === undefined) this.#silentSinceMs = undefined;
    else this.#silentSinceMs ??= this.#clock.monotonic();
  }

  /** Shortages are reported at once. */
  pressuresChanged(pressures: readonly NodePressure[]): void {
    this.#pressures = pressures;
    void this.changed().catch(this.#onError);
  }

  /** The machine is shutting down. */
  stopping(reason: string): void {
    this.#stopping = reason;
    void this.changed().catch(this.#onError);
  }

  /** Signals a change; resolves when all listeners have handled it. */
  async changed(): Promise<void> {
    await Promise.all(this.#listeners.map((listener) => listener()));
  }

  onChange(listener: () => Promise<void>): void {
    this.#listeners.push(listener);
  }
}
