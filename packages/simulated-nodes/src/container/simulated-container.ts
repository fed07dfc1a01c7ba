import type { Timer } from '@coxswain/apimachinery';
import type { Container } from '@coxswain/api/core/v1/container.ts';
import type { Sandbox } from '@coxswain/kubelet/runtime.ts';
import type { Behaviour } from '../behaviour/behaviour.ts';
import type { LogLine } from '../container-log.ts';
import type { ContainerFiles } from '../process/container-files.ts';
import type { ContainerWorld } from '../process/container-world.ts';
import type { Pipe } from '../process/pipe.ts';
import type { RunningProgram } from '../program/running-program.ts';

/** The number of lines kept of a main process's output, and of the characters in memory. */
const writtenLinesMax = 10_000;
const writtenCharactersMax = 10 * 1024 * 1024;

const nothingWritten: readonly LogLine[] = [];

/** The state of a new container. */
export interface ContainerMaking {
  readonly podUid: string;
  readonly sandbox: Sandbox;
  readonly spec: Container;
  readonly restarts: number;
  readonly behaviour: Behaviour;
  readonly startedMs: number;
}

/**
 * The record of a simulated container. There are many of them and most are never inspected, so what only exec, attach
 * and logs need is created on first use.
 */
export class SimulatedContainer {
  readonly podUid: string;
  readonly sandbox: Sandbox;
  readonly spec: Container;
  readonly restarts: number;
  readonly behaviour: Behaviour;
  readonly startedMs: number;
  endTimer: Timer | undefined;
  /** Files and variables, created when a command first uses them. */
  world: Promise<ContainerWorld> | undefined;
  /** Those of its world, once it exists. */
  files: ContainerFiles | undefined;
  /** Set if the image is defined by the user. */
  program: RunningProgram | undefined;
  isAttached = false;
  /** What is sent to its main process by attaching, if that is executed. */
  input: Pipe | undefined;
  #endedMs: number | undefined;
  #isOver = false;
  #ended: PromiseWithResolvers<void> | undefined;
  #stopping: AbortController | undefined;
  #written: LogLine[] | undefined;
  #writtenCharacters = 0;
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

  /** Resolves when the container has ended or was removed. */
  get ended(): Promise<void> {
    this.#ended ??= Promise.withResolvers();
    if (this.#isOver) this.#ended.resolve();
    return this.#ended.promise;
  }

  /** Aborts its processes when the container ends or is removed. */
  get signal(): AbortSignal {
    this.#stopping ??= new AbortController();
    if (this.#isOver) this.#stopping.abort();
    return this.#stopping.signal;
  }

  /** The output of the main process so far. */
  get written(): readonly LogLine[] {
    return this.#written?.slice(-writtenLinesMax) ?? nothingWritten;
  }

  /** Forgets the oldest lines. */
  #forget(count: number): void {
    for (const { text } of this.#written!.splice(0, count)) this.#writtenCharacters -= text.length;
  }

  say(line: LogLine): void {
    this.#written ??= [];
    this.#written.push(line);
    this.#writtenCharacters += line.text.length;
    if (this.#written.length > 2 * writtenLinesMax) this.#forget(writtenLinesMax);
    while (this.#writtenCharacters > writtenCharactersMax) this.#forget(Math.ceil(this.#written.length / 2));
    for (const report of this.#followers ?? []) report(line);
  }

  /** `tell` receives all further output. Returns a function that unsubscribes. */
  follow(report: (line: LogLine) => void): () => void {
    (this.#followers ??= new Set()).add(report);
    return () => void this.#followers?.delete(report);
  }

  end(atMs: number): void {
    this.#endedMs = atMs;
    this.close();
  }

  /** The signal has no effect anymore, and everybody who awaits the end continues. */
  close(): void {
    this.#isOver = true;
    this.endTimer?.cancel();
    this.#stopping?.abort();
    this.#ended?.resolve();
  }
}
