/** The parts of a cluster that can be stopped and started by name while the others keep running. */

import type { Work } from '@coxswain/apimachinery';

export interface Component {
  readonly name: string;
  /** Starts the component, which runs until the signal is aborted. */
  start(signal: AbortSignal): StartedComponent;
  /** The function that does the work, when `start` only delegates to it. */
  readonly work?: Work | undefined;
}

export interface StartedComponent {
  /** Resolves when its caches are filled. */
  readonly ready: Promise<unknown>;
  /** Resolves when all its work has stopped after the signal was aborted. */
  readonly stopped: Promise<unknown>;
}

interface Running extends StartedComponent {
  readonly stopping: AbortController;
}

export class Components {
  readonly #components: ReadonlyMap<string, Component>;
  readonly #running = new Map<string, Running>();

  constructor(components: readonly Component[]) {
    this.#components = new Map(components.map((component) => [component.name, component]));
  }

  get names(): readonly string[] {
    return [...this.#components.keys()];
  }

  get running(): readonly string[] {
    return [...this.#running.keys()];
  }

  isRunning(name: string): boolean {
    return this.#running.has(this.#of(name).name);
  }

  /**
   * Resolves when the component's caches are filled. Has no effect on a running component. @throws Error for an unknown
   * name
   */
  async start(name: string): Promise<void> {
    const component = this.#of(name);
    let running = this.#running.get(name);
    if (running === undefined) {
      const stopping = new AbortController();
      running = { ...component.start(stopping.signal), stopping };
      this.#running.set(name, running);
    }
    await running.ready;
  }

  /** The function that does the component's work. @throws Error for an unknown name */
  workOf(name: string): Work {
    const { work, start } = this.#of(name);
    return work ?? start;
  }

  /**
   * Resolves when the component has stopped entirely. Writes that it still attempts are refused. @throws Error for an
   * unknown name
   */
  async stop(name: string): Promise<void> {
    this.#of(name);
    const running = this.#running.get(name);
    if (running === undefined) return;
    this.#running.delete(name);
    running.stopping.abort(new Error(`${name} is stopping`));
    await running.stopped;
  }

  /** Restarts the component as after a crash: it loses its memory and starts from what is stored. */
  async restart(name: string): Promise<void> {
    await this.stop(name);
    await this.start(name);
  }

  async stopAll(): Promise<void> {
    await Promise.all([...this.#running.keys()].map((name) => this.stop(name)));
  }

  #of(name: string): Component {
    const component = this.#components.get(name);
    if (component !== undefined) return component;
    throw new Error(`unknown component "${name}": must be one of ${this.names.join(', ')}`);
  }
}
