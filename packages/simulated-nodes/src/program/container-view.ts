/** A container as seen by one call of its functions. */

import type { Clock, Random } from '@coxswain/apimachinery';
import type { Container } from '@coxswain/api/core/v1/container.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { resolvePath, type ContainerFiles } from '../process/container-files.ts';
import type { ContainerWorld } from '../process/container-world.ts';
import { fetchWithin } from './fetch-within.ts';
import type { FunctionCall } from './function-call.ts';
import type { ProgramClock, ProgramContainer, ProgramFiles, ProgramPod } from './image-definition.ts';

/** The properties of a container that its functions see. */
export interface ViewedProgram {
  readonly parts: {
    readonly spec: Container;
    readonly restarts: number;
    /** The current object. */
    readonly pod: () => Pod;
    readonly address: string;
    readonly clock: Clock;
    readonly random: Random;
    /** Aborts when the container has ended. */
    readonly ended: AbortSignal;
    readonly say: (line: string) => void;
    readonly exit: (code: number) => void;
  };
  readonly state: Record<string, unknown>;
  /** Aborts when the container is asked to stop. */
  readonly stopping: AbortSignal;
  /** Whether `signal` was read, in which case the function handles the signal itself. */
  handlesStop: boolean;
}

/** After this many requests at one moment, the clock moves on, so that a loop without waiting ends eventually. */
const requestsAtOnceMax = 100;
const breathMs = 1;

/** The maximum duration of a timer. */
const timerMsMax = 2 ** 31 - 1;

export class ContainerView implements ProgramContainer {
  readonly client: string | undefined;
  readonly env: Readonly<Record<string, string>>;
  readonly files: ProgramFiles;
  readonly clock: ProgramClock;
  readonly #program: ViewedProgram;
  readonly #world: ContainerWorld;
  readonly #call: FunctionCall;
  #requests = 0;
  #requestsAtMs = 0;

  constructor(program: ViewedProgram, world: ContainerWorld, call: FunctionCall, client: string | undefined) {
    this.client = client;
    this.#program = program;
    this.#world = world;
    this.#call = call;
    this.env = Object.fromEntries(world.env);
    this.clock = this.#clockOf();
    this.files = filesOf(world.files, world.directory, () => this.clock.now());
  }

  get name(): string {
    return this.#program.parts.spec.name;
  }

  get image(): string {
    return this.#program.parts.spec.image ?? '';
  }

  get args(): readonly string[] {
    return this.#program.parts.spec.args ?? [];
  }

  get restarts(): number {
    return this.#program.parts.restarts;
  }

  get state(): Record<string, unknown> {
    return this.#program.state;
  }

  get pod(): ProgramPod {
    const { metadata, spec } = this.#program.parts.pod();
    return {
      name: metadata?.name ?? '',
      namespace: metadata?.namespace ?? '',
      uid: metadata?.uid ?? '',
      address: this.#program.parts.address,
      nodeName: spec?.nodeName ?? '',
      labels: { ...metadata?.labels } as Record<string, string>,
      annotations: { ...metadata?.annotations } as Record<string, string>,
    };
  }

  get signal(): AbortSignal {
    this.#program.handlesStop = true;
    return this.#program.stopping;
  }

  random(): number {
    return this.#program.parts.random.next();
  }

  log(line: string): void {
    for (const one of String(line).split('\n')) this.#program.parts.say(one);
  }

  exit(code = 0): void {
    this.#program.parts.exit(code & 255);
  }

  async fetch(input: string | URL | Request, init?: RequestInit): Promise<Response> {
    const { clock, ended } = this.#program.parts;
    const request = new Request(input, init);
    await this.#breathe();
    const { network } = this.#world;
    return this.#call.wait(fetchWithin({ network, clock, signal: ended }, request));
  }

  async #breathe(): Promise<void> {
    const { clock, ended } = this.#program.parts;
    if (clock.now() !== this.#requestsAtMs) this.#requests = 0;
    this.#requestsAtMs = clock.now();
    if (++this.#requests > requestsAtOnceMax) await this.#call.wait(clock.sleep(breathMs, ended));
  }

  #clockOf(): ProgramClock {
    const { clock, ended } = this.#program.parts;
    return {
      now: () => clock.now(),
      sleep: (ms, signal) =>
        this.#call.wait(
          clock.sleep(
            Math.min(Math.max(0, ms), timerMsMax),
            signal === undefined ? ended : AbortSignal.any([ended, signal]),
          ),
        ),
      timeout(ms) {
        const over = new AbortController();
        const timer = clock.after(Math.min(Math.max(0, ms), timerMsMax), () =>
          over.abort(new DOMException('The operation timed out', 'TimeoutError')),
        );
        ended.addEventListener('abort', () => timer.cancel(), { once: true, signal: over.signal });
        return over.signal;
      },
    };
  }
}

const filesOf = (files: ContainerFiles, directory: string, nowMs: () => number): ProgramFiles => ({
  read: (path) => new TextDecoder().decode(files.read(resolvePath(directory, path))),
  write: (path, content) =>
    files.write(
      resolvePath(directory, path),
      typeof content === 'string' ? new TextEncoder().encode(content) : content.slice(),
      nowMs(),
    ),
  list: (path) => files.list(resolvePath(directory, path)),
});
