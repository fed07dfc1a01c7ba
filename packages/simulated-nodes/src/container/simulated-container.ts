import type { Timer } from '@coxswain/apimachinery';
import type { Container } from '@coxswain/api/core/v1/container.ts';
import type { Sandbox } from '@coxswain/kubelet/runtime.ts';
import type { Behaviour } from '../behaviour/behaviour.ts';
import type { LogLine } from '../container-log.ts';
import type { ContainerWorld } from '../process/container-world.ts';
import type { RunningProgram } from '../program/running-program.ts';

/** Lines kept of what a main process says. */
const writtenLinesMax = 10_000;

const nothingWritten: readonly LogLine[] = [];

/** As it is made. */
export interface ContainerMaking {
  readonly podUid: string;
  readonly sandbox: Sandbox;
  readonly spec: Container;
  readonly restarts: number;
  readonly behaviour: Behaviour;
  readonly startedMs: number;
}

/**
 * The record that a simulated container is. There are very many of them, most of which nobody ever looks at:
 * what only a visitor needs is made for the first one.
 */
export class SimulatedContainer {
  readonly podUid: string;
  readonly sandbox: Sandbox;
  readonly spec: Container;
  readonly restarts: number;
  readonly behaviour: Behaviour;
  readonly startedMs: number;
  endTimer: Timer | undefined;
  /** Its files and variables, made when a command first looks at them. */
  world: Promise<ContainerWorld> | undefined;
  /** Of an image that is defined. */
  program: RunningProgram | undefined;
  isAttached = false;
  #endedMs: number | undefined;
  #isOver = false;
  #ended: PromiseWithResolvers<void> | undefined;
  #stopping: AbortController | undefined;
  #written: LogLine[] | undefined;
  #followers: Set<(line: LogLine) => void> | undefined;

  constructor({ podUid, sandbox, spec, restarts, behaviour, startedMs }: ContainerMaking) {
    this.podUid = podUid;
    this.sandbox = sandbox;
    this.spec = spec;
    this.restarts = restarts;
    this.behaviour = behaviour;
    this.startedMs = startedMs;
  }

  get isRunning(): boolean {
    return !this.#isOver;
  }

  get endedMs(): number | undefined {
    return this.#endedMs;
  }

  /** Resolves when it has ended, or was removed. */
  get ended(): Promise<void> {
    this.#ended ??= Promise.withResolvers();
    if (this.#isOver) this.#ended.resolve();
    return this.#ended.promise;
  }

  /** Aborts what runs in it when it ends, or is removed. */
  get signal(): AbortSignal {
    this.#stopping ??= new AbortController();
    if (this.#isOver) this.#stopping.abort();
    return this.#stopping.signal;
  }

  /** What its main process has said. */
  get written(): readonly LogLine[] {
    return this.#written ?? nothingWritten;
  }

  say(line: LogLine): void {
    this.#written ??= [];
    if (this.#written.push(line) > writtenLinesMax) this.#written.shift();
    for (const tell of this.#followers ?? []) tell(line);
  }

  /** `tell` hears what is said from now on. Returns what ends it. */
  follow(tell: (line: LogLine) => void): () => void {
    (this.#followers ??= new Set()).add(tell);
    return () => void this.#followers?.delete(tell);
  }

  end(atMs: number): void {
    this.#endedMs = atMs;
    this.close();
  }

  /** It ends nothing any more, and whoever waits for its end goes on. */
  close(): void {
    this.#isOver = true;
    this.endTimer?.cancel();
    this.#stopping?.abort();
    this.#ended?.resolve();
  }
}
