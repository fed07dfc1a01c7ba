/** The pod network of this machine among several: its own address range, and routes to the other nodes. */
import { aborted, deepEqual, type Clock, type KubeObject, type Random } from '@coxswain/apimachinery';
import type { KubeClient } from '@coxswain/client';
import type { Node } from '@coxswain/api/core/v1/node.ts';
import type { Component } from '../components/components.ts';
import { podRangesOf, routeChanges, routesTo } from './host-routes.ts';

export interface NodeNetworkOptions {
  readonly nodeName: string;
  /** The range of all pods of the cluster. */
  readonly podRange: string;
  /** Where the container runtime looks for its network configuration. */
  readonly networkDirectory: string;
  /** The kubelet's root directory. */
  readonly rootDirectory: string;
}

export interface NodeNetworkParts {
  readonly clientUntil: (signal: AbortSignal) => KubeClient;
  readonly clock: Clock;
  readonly random: Random;
  readonly onError: (error: unknown) => void;
}

/** Changes within this interval are applied together. */
const settleMs = 50;
/** The interval of rechecks, since routes disappear when a link goes down and up; failed changes are also retried. */
const recheckMs = 10_000;

/** Loaded only if there is such a network. */
export const nodeNetworkComponent = (
  options: NodeNetworkOptions | undefined,
  parts: NodeNetworkParts,
): readonly Component[] =>
  options === undefined
    ? []
    : [
        {
          name: 'node-network',
          start(until) {
            const stopped = keepNetwork(options, parts, until);
            return { ready: Promise.resolve(), stopped };
          },
        },
      ];

async function keepNetwork(
  options: NodeNetworkOptions,
  { clientUntil, clock, random, onError }: NodeNetworkParts,
  signal: AbortSignal,
): Promise<void> {
  const { Informer } = await import('@coxswain/client');
  const informer = new Informer<Node & KubeObject>({
    resource: clientUntil(signal).resource('v1', 'nodes'),
    clock,
    random,
    onError,
  });
  const changes = new Changes();
  const note = (): void => changes.note();
  informer.addHandler({
    added: note,
    updated(before, after) {
      if (!deepEqual(routesTo([before], ''), routesTo([after], ''))) note();
    },
    deleted: note,
  });
  const running = informer.run(signal);
  await Promise.race([informer.synced, running]);
  const state = new NetworkState(options);
  const ended = aborted(signal);
  while (!signal.aborted) {
    changes.take();
    await state.bring(informer.lister.list()).catch(onError);
    await Promise.race([changes.next(), ended, clock.sleep(recheckMs, signal).catch(() => undefined)]);
    await clock.sleep(settleMs, signal).catch(() => undefined);
  }
  await running;
}

/** Remembers what has been applied so that it isn't applied again. */
class NetworkState {
  readonly #options: NodeNetworkOptions;
  #ownRange: string | undefined;

  constructor(options: NodeNetworkOptions) {
    this.#options = options;
  }

  async bring(nodes: readonly (Node & KubeObject)[]): Promise<void> {
    const { nodeName } = this.#options;
    const own = nodes.find(({ metadata }) => metadata.name === nodeName);
    const range = own === undefined ? undefined : podRangesOf(own)[0];
    if (range !== undefined && range !== this.#ownRange) await this.#open(range);
    const { changeRoutes, ownRoutes } = await import('./kernel-routes.ts');
    await changeRoutes(routeChanges(await ownRoutes(), routesTo(nodes, nodeName)));
  }

  async #open(range: string): Promise<void> {
    const { networkDirectory, podRange, rootDirectory } = this.#options;
    const [{ writeDefaultNetwork }, { writeMasquerade }] = await Promise.all([
      import('@coxswain/kubelet/network/default-network.ts'),
      import('./masquerade.ts'),
    ]);
    await writeMasquerade(range, podRange);
    writeDefaultNetwork({ directory: networkDirectory, rootDirectory, podCidr: range, masquerades: false });
    this.#ownRange = range;
  }
}

/** Remembers that something has changed until it is handled. */
class Changes {
  #isNoted = false;
  #wake: (() => void) | undefined;

  note(): void {
    this.#isNoted = true;
    this.#wake?.();
  }

  take(): void {
    this.#isNoted = false;
  }

  next(): Promise<void> {
    if (this.#isNoted) return Promise.resolve();
    return new Promise((resolve) => (this.#wake = resolve));
  }
}
