/** Whether the servers behind the page respond, according to the latest request. */

import { signal, type ReadonlySignal } from '@preact/signals';

/** `page`: the page's own server does not respond; `cluster`: it responds, but the API server does not. */
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
