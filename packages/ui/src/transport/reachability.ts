/** Whether the servers behind the page answer, as the last request that was made has shown. */

import { signal, type ReadonlySignal } from '@preact/signals';

/** `page`: the server of the page itself is gone; `cluster`: it is there, and the API server is not. */
export type Reach = 'reached' | 'page' | 'cluster';

export class Reachability {
  readonly #state = signal<Reach>('reached');

  get state(): ReadonlySignal<Reach> {
    return this.#state;
  }

  heard(): void {
    this.#state.value = 'reached';
  }

  lost(which: 'page' | 'cluster'): void {
    this.#state.value = which;
  }
}
