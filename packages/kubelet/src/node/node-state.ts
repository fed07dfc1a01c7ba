/** How the node is, as the parts of its kubelet find it: there before all of them. Who tells the API of it listens. */
import type { Clock } from '@coxswain/apimachinery';

/** The conditions of a node that tell of a shortage. */
export type NodePressure = 'MemoryPressure' | 'DiskPressure' | 'PIDPressure';

/** The runtime may be silent so long before the node counts as not ready. */
const silenceMsMax = 30_000;

export class NodeState {
  /** Where the kubelet listens. */
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

  /** Why it is not ready. */
  troubles(): { readonly runtime: readonly string[]; readonly machine: readonly string[] } {
    const silentMs = this.#silentSinceMs === undefined ? 0 : this.#clock.monotonic() - this.#silentSinceMs;
    return {
      runtime: silentMs < silenceMsMax ? [] : ['container runtime is down'],
      machine: this.#stopping === undefined ? [] : [this.#stopping],
    };
  }

  /** Told after each reading of the runtime. */
  runtimeAnswered(error: unknown): void {
    if (error === undefined) this.#silentSinceMs = undefined;
    else this.#silentSinceMs ??= this.#clock.monotonic();
  }

  /** What is scarce is told at once. */
  pressuresChanged(pressures: readonly NodePressure[]): void {
    this.#pressures = pressures;
    void this.changed().catch(this.#onError);
  }

  /** The machine goes down. */
  stopping(reason: string): void {
    this.#stopping = reason;
    void this.changed().catch(this.#onError);
  }

  /** Something that others wait for is otherwise; resolves when all that listen have heard it. */
  async changed(): Promise<void> {
    await Promise.all(this.#listeners.map((listener) => listener()));
  }

  onChange(listener: () => Promise<void>): void {
    this.#listeners.push(listener);
  }
}
