/** Serves the clusters of a worker to a page (see `page-cluster.ts`). */

import type { TransportRequest, TransportResponse } from '@coxswain/client';
import { createCluster } from '../../testing/create-cluster.ts';
import type {
  Asked,
  AsUser,
  ClusterFiles,
  ClusterView,
  CreateClusterOptions,
  ImageDefinition,
  KubectlOptions,
  KubectlResult,
  ProgramContainer,
  TestCluster,
  TestSnapshot,
} from '../../../types/browser.d.ts';
import { filesOf, kubectl } from '../kubectl.ts';
import { Calls, type Port } from './calls.ts';
import { withContainer } from './with-container.ts';

export function serveClusters(port: Port): void {
  const entry = {
    createCluster: async (options: CreateClusterOptions) => new ServedCluster(await createCluster(options)),
  };
  new Calls(port, { entry, refersTo: true });
}

/** The entry as the page sees it. */
export interface WorkerEntry {
  createCluster(options: CreateClusterOptions): Promise<AskedCluster>;
}

export interface AskedCluster extends Asked<Omit<ServedCluster, 'fork'>> {
  fork(snapshot?: TestSnapshot): Promise<AskedCluster>;
}

/** The methods of a view that take and return only data. */
export type ViewMethod = 'apply' | 'remove' | 'logs' | 'kubeconfig' | 'ui';

class ServedCluster {
  readonly cluster: TestCluster;

  constructor(cluster: TestCluster) {
    this.cluster = cluster;
  }

  facts(): Pick<TestCluster, 'seed' | 'namespace' | 'user'> {
    const { seed, namespace, user } = this.cluster;
    return { seed, namespace, user };
  }

  /** @param user undefined for the administrator */
  async send(user: AsUser | undefined, request: TransportRequest): Promise<ServedAnswer> {
    const over = new AbortController();
    const signal = request.signal ? AbortSignal.any([request.signal, over.signal]) : over.signal;
    const answer = await this.#view(user).transport.send({ ...request, signal });
    return { status: answer.status, headers: answer.headers, body: chunksOf(answer, over) };
  }

  ask(user: AsUser | undefined, method: ViewMethod, args: readonly unknown[]): Promise<unknown> {
    const view = this.#view(user);
    return (view[method] as (...args: readonly unknown[]) => Promise<unknown>)(...args);
  }

  kubectl(
    user: AsUser | undefined,
    line: string | readonly string[],
    options?: KubectlOptions,
  ): Promise<KubectlResult> {
    const { clock } = this.cluster;
    const view = user === undefined ? this.cluster : { transport: this.#view(user).transport, clock };
    return kubectl(view, line, options);
  }

  files(): Promise<ClusterFiles> {
    return filesOf(this.cluster);
  }

  define(name: string, definition: ImageDefinition): void {
    this.cluster.images.define(name, withContainer(definition, seen) as ImageDefinition);
  }

  async fork(snapshot?: TestSnapshot): Promise<ServedCluster> {
    return new ServedCluster(await this.cluster.fork(snapshot));
  }

  #view(user: AsUser | undefined): ClusterView {
    return user === undefined ? this.cluster : this.cluster.as(user);
  }
}

/** A request ends when its response is abandoned before the end. */
function chunksOf(answer: TransportResponse, over: AbortController): AsyncIterableIterator<Uint8Array> {
  let chunks: AsyncIterator<Uint8Array> | undefined;
  return {
    next: () => (chunks ??= answer.stream()[Symbol.asyncIterator]()).next(),
    async return() {
      over.abort();
      return (await chunks?.return?.()) ?? { done: true, value: undefined };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

interface ServedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: AsyncIterable<Uint8Array>;
}

/** What a page's function receives about its container; it requests everything else. */
export interface SeenContainer {
  readonly facts: Pick<ProgramContainer, 'name' | 'image' | 'args' | 'env' | 'restarts' | 'client' | 'pod'>;
  readonly container: ProgramContainer;
  /** The same signal for the same container, since signals keep their identity when they cross. */
  readonly life: AbortSignal;
}

/** Returns a container in a form that can cross. */
function seen(container: ProgramContainer): SeenContainer {
  const { name, image, args, env, restarts, client, pod, state } = container;
  const life = lives.get(state) ?? new AbortController().signal;
  lives.set(state, life);
  return { facts: { name, image, args, env, restarts, client, pod }, container, life };
}

/** For each container, a signal with the same lifetime. */
const lives = new WeakMap<object, AbortSignal>();
