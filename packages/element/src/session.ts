/** One cluster of a page: its time, its commands, and its objects. */

import { detach } from '@coxswain/apimachinery/detach.ts';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { signal } from '@preact/signals';
import type { CreateClusterOptions, KubeObject, KubectlOptions, WorkerCluster } from 'coxswain/browser';
import { createClusterInWorker, filesOf, kubectl } from 'coxswain/browser/page.ts';
import { followed, type Shown } from './followed.ts';
import type { SharedState, SharedStep } from './shared-state.ts';

/** By name: the files that `kubectl apply -f` reads. */
export type Files = Readonly<Record<string, string>>;

export interface SessionOptions {
  readonly files: Files;
  readonly seed: number;
  readonly nodes: number;
  readonly speed: number;
  /** The history to replay; until that is done, no time passes. */
  readonly shared?: SharedState | undefined;
}

/** In real time, between two ticks. */
const tickMs = 100;
/** In real time: a command that takes longer no longer blocks the cluster's time. */
const commandMsMax = 10_000;
/** Classes and addresses that manifests for real clusters rely on. */
const addons = ['storage', 'load-balancers', 'ingress-class'] as const;
/** The step that resets the cluster. */
const resetLine = 'reset';

export class Session {
  readonly cluster: WorkerCluster;
  readonly objects = signal<Shown>({});
  readonly nowMs = signal(0);
  readonly speed = signal(1);
  /** Whether an entered command is running. */
  readonly isBusy = signal(false);
  /** The number of completed commands. */
  readonly ended = signal(0);
  isSeen = true;
  /** The state that is in the page's address. */
  link = '';
  readonly #options: SessionOptions;
  readonly #startMs: number;
  readonly #steps: SharedStep[] = [];
  readonly #files: Map<string, string>;
  /** The history that is being replayed. */
  #replayed: SharedState | undefined;
  /** What has been written since the last step. */
  #written: Record<string, string> = {};
  /** Ticks and entered commands run one after the other. */
  #turn: Promise<unknown> = Promise.resolve();
  readonly #stopped = new AbortController();

  private constructor(cluster: WorkerCluster, startMs: number, options: SessionOptions) {
    this.cluster = cluster;
    this.#options = options;
    this.#replayed = options.shared;
    this.#files = new Map(Object.entries(options.files));
    this.#startMs = startMs;
    this.speed.value = options.speed;
    this.nowMs.value = startMs;
    followed(cluster.client, this.#stopped.signal, (shown) => (this.objects.value = shown));
    detach(this.#letTimePass());
  }

  static async start(options: SessionOptions): Promise<Session> {
    const { files, seed, nodes } = options;
    const cluster = await startCluster({ seed, nodes, addons });
    const session = new Session(cluster, await cluster.clock.now(), options);
    for (const [name, text] of Object.entries(files)) await session.#write(name, text);
    return session;
  }

  get files(): ReadonlyMap<string, string> {
    return this.#files;
  }

  async write(name: string, text: string): Promise<void> {
    this.#files.set(name, text);
    this.#written[name] = text;
    await this.#write(name, text);
  }

  async #write(name: string, text: string): Promise<void> {
    const files = await filesOf(this.cluster);
    await files.write(name, text);
  }

  /**
   * Recreates a shared cluster step by step.
   * @param show receives each line before it runs, and its output
   * @returns whether its history equals the shared one
   */
  async replay(state: SharedState, show: (text: string) => void): Promise<boolean> {
    const { steps, untilMs, digest, written = {} } = state;
    this.#replayed = state;
    this.isBusy.value = true;
    // A command that is still waiting at the end has shown enough.
    const over = new AbortController();
    return this.#inTurn(async () => {
      for (const { atMs, line, files = {} } of steps) {
        await this.#advanceTo(atMs);
        for (const [name, text] of Object.entries(files)) await this.write(name, text);
        show(`$ ${line}\n`);
        const { ended } = await this.#step(line, { out: show, err: show, signal: over.signal });
        ended.catch((failure: unknown) => !over.signal.aborted && show(`${messageOf(failure)}\n`));
      }
      await this.#advanceTo(untilMs);
      for (const [name, text] of Object.entries(written)) await this.write(name, text);
      return digest === (await this.cluster.history.digest());
    }).finally(() => {
      over.abort();
      this.#replayed = undefined;
      this.isBusy.value = false;
      this.ended.value++;
    });
  }

  /** The history needed to recreate this cluster and to verify that it is the same. */
  async share(): Promise<SharedState> {
    return this.#inTurn(async () => {
      await this.#advanceTo(0);
      const { written: _, ...state } = this.state;
      return { ...state, digest: await this.cluster.history.digest() };
    });
  }

  /** The history needed to recreate this cluster as of the last tick of its clock. */
  get state(): SharedState {
    if (this.#replayed !== undefined) return this.#replayed;
    const { files, seed, nodes } = this.#options;
    const untilMs = this.nowMs.value - this.#startMs;
    return { seed, nodes, files, steps: this.#steps, untilMs, digest: '', written: this.#written };
  }

  /** The commands entered since the beginning or the last reset. */
  get lines(): readonly string[] {
    const lines = this.#steps.map(({ line }) => line);
    return lines.slice(lines.lastIndexOf(resetLine) + 1);
  }

  /** An entered command becomes a step of the shareable history. */
  async enter(line: string, options: KubectlOptions = {}): Promise<void> {
    this.isBusy.value = true;
    try {
      const running = await this.#inTurn(() => this.#step(line, options));
      await running.ended;
    } finally {
      this.isBusy.value = false;
      this.ended.value++;
    }
  }

  /**
   * Time is paused during commands that end by themselves; commands that wait for something resume when time does. So
   * the same lines at the same times produce the same history.
   */
  async #step(line: string, options: KubectlOptions): Promise<{ readonly ended: Promise<unknown> }> {
    const atMs = (await this.cluster.clock.now()) - this.#startMs;
    const files = this.#written;
    this.#written = {};
    this.#steps.push({ atMs, line, ...(Object.keys(files).length > 0 && { files }) });
    const { promise: waits, resolve: waiting } = Promise.withResolvers<void>();
    // The same step chooses the same names.
    const seed = this.#options.seed + this.#steps.length;
    const ended =
      line === resetLine
        ? this.#whileItLives(this.cluster.reset())
        : this.run(line, { ...options, seed, waiting });
    ended.catch(() => undefined);
    const late = setTimeout(waiting, commandMsMax);
    await Promise.race([ended, waits]).catch(() => undefined);
    clearTimeout(late);
    // Work that the command triggered completes before time continues.
    await this.cluster.clock.advance(0);
    return { ended };
  }

  async #advanceTo(ms: number): Promise<void> {
    const { clock } = this.cluster;
    await clock.advance(Math.max(0, this.#startMs + ms - (await clock.now())));
    this.nowMs.value = await clock.now();
  }

  #inTurn<T>(act: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(act);
    this.#turn = result.catch(() => undefined);
    return this.#whileItLives(result);
  }

  run(line: string | readonly string[], options: KubectlOptions = {}): ReturnType<typeof kubectl> {
    return this.#whileItLives(kubectl(this.cluster, line, options));
  }

  /** Requests still waiting for a stopped cluster get no answer, since the page has moved on. */
  #whileItLives<T>(result: Promise<T>): Promise<T> {
    return result.catch((failure: unknown) => {
      if (this.#stopped.signal.aborted) return new Promise<never>(() => undefined);
      throw failure;
    });
  }

  /** Undefined if the object does not exist. @param name `deployment/web` */
  async find(name: string): Promise<KubeObject | undefined> {
    const { stdout } = await this.run(['get', name, '--ignore-not-found', '-o', 'json']);
    return stdout === '' ? undefined : (JSON.parse(stdout) as KubeObject);
  }

  reset(): Promise<void> {
    return this.enter(resetLine);
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    await this.cluster.stop();
  }

  async #letTimePass(): Promise<void> {
    const { signal: stopped } = this.#stopped;
    while (!stopped.aborted) {
      await new Promise((resolve) => setTimeout(resolve, tickMs));
      if (stopped.aborted || !this.isSeen || this.speed.value === 0 || this.#replayed) continue;
      this.nowMs.value = await this.#inTurn(async () => {
        await this.cluster.clock.advance(tickMs * this.speed.value);
        return this.cluster.clock.now();
      });
    }
  }
}

/**
 * In a worker, so that the page stays responsive, or in the page if no worker can be started. The interface is the
 * same.
 */
async function startCluster(options: CreateClusterOptions): Promise<WorkerCluster> {
  try {
    return await createClusterInWorker(options);
  } catch {
    const { createCluster } = await import('coxswain/browser');
    return (await createCluster(options)) as unknown as WorkerCluster;
  }
}
