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

export interface SessionOptions {
  readonly manifest: string;
  readonly seed: number;
  readonly nodes: number;
  readonly speed: number;
}

/** Of real time, between two looks at the clock. */
const tickMs = 100;

export class Session {
  readonly cluster: TestCluster;
  readonly objects = signal<Shown>({});
  readonly nowMs = signal(0);
  readonly speed = signal(1);
  isSeen = true;
  readonly #stopped = new AbortController();

  private constructor(cluster: TestCluster, speed: number) {
    this.cluster = cluster;
    this.speed.value = speed;
    this.nowMs.value = cluster.clock.now();
    followed(cluster.client, this.#stopped.signal, (shown) => (this.objects.value = shown));
    void this.#letTimePass();
  }

  static async start({ manifest, seed, nodes, speed }: SessionOptions): Promise<Session> {
    const cluster = await createCluster({ seed, nodes });
    const session = new Session(cluster, speed);
    if (manifest.trim() !== '') {
      const files = await filesOf(cluster);
      files.write('manifest.yaml', manifest);
    }
    return session;
  }

  run(line: string | readonly string[], options: KubectlOptions = {}): ReturnType<typeof kubectl> {
    return kubectl(this.cluster, line, options);
  }

  /** Undefined for what is not there. @param name `deployment/web` */
  async find(name: string): Promise<KubeObject | undefined> {
    const { stdout } = await this.run(['get', name, '--ignore-not-found', '-o', 'json']);
    return stdout === '' ? undefined : (JSON.parse(stdout) as KubeObject);
  }

  async reset(): Promise<void> {
    await this.cluster.reset();
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
      await this.cluster.clock.advance(tickMs * this.speed.value);
      this.nowMs.value = this.cluster.clock.now();
    }
  }
}
