/** One cluster of a page: its time, its commands, and what is in it now. */

import { signal } from '@preact/signals';
import {
  createCluster,
  filesOf,
  kubectl,
  type KubeObject,
  type KubectlOptions,
  type TestCluster,
} from 'coxswain/browser';
import { followed, type Shown } from './followed.ts';
import type { SharedState, SharedStep } from './shared-state.ts';

export interface SessionOptions {
  readonly manifest: string;
  readonly seed: number;
  readonly nodes: number;
  readonly speed: number;
}

/** Of real time, between two looks at the clock. */
const tickMs = 100;
/** A command that takes longer is one that waits. */
const commandMsMax = 3_000;
const manifestFile = 'manifest.yaml';
/** The step that puts the cluster back to its beginning. */
const resetLine = 'reset';

export class Session {
  readonly cluster: TestCluster;
  readonly objects = signal<Shown>({});
  readonly nowMs = signal(0);
  readonly speed = signal(1);
  isSeen = true;
  readonly #options: SessionOptions;
  readonly #startMs: number;
  readonly #steps: SharedStep[] = [];
  /** What `manifest.yaml` held at the last step. */
  #manifest: string;
  /** Time passes for one after the other: the ticks, and commands that are entered. */
  #turn: Promise<unknown> = Promise.resolve();
  readonly #stopped = new AbortController();

  private constructor(cluster: TestCluster, options: SessionOptions) {
    this.cluster = cluster;
    this.#options = options;
    this.#manifest = options.manifest;
    this.#startMs = cluster.clock.now();
    this.speed.value = options.speed;
    this.nowMs.value = cluster.clock.now();
    followed(cluster.client, this.#stopped.signal, (shown) => (this.objects.value = shown));
    void this.#letTimePass();
  }

  static async start(options: SessionOptions): Promise<Session> {
    const { manifest, seed, nodes } = options;
    const cluster = await createCluster({ seed, nodes });
    if (manifest.trim() !== '') {
      const files = await filesOf(cluster);
      files.write(manifestFile, manifest);
    }
    return new Session(cluster, options);
  }

  /**
   * Makes a shared cluster again, step by step.
   * @param show is told each line before it runs, and what it prints
   * @returns whether its history is the one that was shared
   */
  async replay({ steps, untilMs, digest }: SharedState, show: (text: string) => void): Promise<boolean> {
    // What still waits at the end has shown enough.
    const over = new AbortController();
    return this.#inTurn(async () => {
      for (const { atMs, line, manifest } of steps) {
        await this.#advanceTo(atMs);
        if (manifest !== undefined) (await filesOf(this.cluster)).write(manifestFile, manifest);
        show(`$ ${line}\n`);
        await this.#step(line, { out: show, err: show, signal: over.signal });
      }
      await this.#advanceTo(untilMs);
      return digest === (await this.cluster.history.digest());
    }).finally(() => over.abort());
  }

  /** What it takes to make this cluster again. */
  async share(): Promise<SharedState> {
    return this.#inTurn(async () => {
      await this.cluster.clock.advance(0);
      const { manifest, seed, nodes } = this.#options;
      const untilMs = this.cluster.clock.now() - this.#startMs;
      return {
        seed,
        nodes,
        manifest,
        steps: this.#steps,
        untilMs,
        digest: await this.cluster.history.digest(),
      };
    });
  }

  /** A command that is entered, which is a step of what can be shared. */
  async enter(line: string, options: KubectlOptions = {}): Promise<void> {
    const running = await this.#inTurn(() => this.#step(line, options));
    await running.ended;
  }

  /**
   * Time stands still for commands that end by themselves; those that wait for something get on when time does. So the
   * same lines at the same times give the same history.
   */
  async #step(line: string, options: KubectlOptions): Promise<{ readonly ended: Promise<unknown> }> {
    const manifest = await this.#changedManifest();
    const atMs = this.cluster.clock.now() - this.#startMs;
    this.#steps.push({ atMs, line, ...(manifest !== undefined && { manifest }) });
    const ended = line === resetLine ? this.cluster.reset() : this.run(line, options);
    ended.catch(() => undefined);
    await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, commandMsMax))]);
    return { ended };
  }

  async #changedManifest(): Promise<string | undefined> {
    const files = await filesOf(this.cluster);
    const now = files.list().includes(manifestFile) ? files.read(manifestFile) : '';
    if (now === this.#manifest) return undefined;
    return (this.#manifest = now);
  }

  async #advanceTo(ms: number): Promise<void> {
    await this.cluster.clock.advance(Math.max(0, this.#startMs + ms - this.cluster.clock.now()));
    this.nowMs.value = this.cluster.clock.now();
  }

  #inTurn<T>(act: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(act);
    this.#turn = result.catch(() => undefined);
    return result;
  }

  run(line: string | readonly string[], options: KubectlOptions = {}): ReturnType<typeof kubectl> {
    return kubectl(this.cluster, line, options);
  }

  /** Undefined for what is not there. @param name `deployment/web` */
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
      if (stopped.aborted || !this.isSeen || this.speed.value === 0) continue;
      await this.#inTurn(() => this.cluster.clock.advance(tickMs * this.speed.value));
      this.nowMs.value = this.cluster.clock.now();
    }
  }
}
