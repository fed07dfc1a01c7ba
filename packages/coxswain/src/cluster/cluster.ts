/**
 * The all-in-one: API server, controllers, scheduler and simulated nodes in one process. The parts communicate through
 * in-process transports, each as the user that it has upstream. From top to bottom: the node directory → the API server
 * → what components share → the components → their start.
 */

import { runStep, scopeOf, systemClock } from '@coxswain/apimachinery';
import type { UserInfo } from '@coxswain/apiserver';
import { createClient, type KubeClient } from '@coxswain/client';
import { mustBeOfThisAuthority, ownNodeName } from '#machine';
import { serveApi } from './cluster-api-server.ts';
import { clusterComponents } from './cluster-components.ts';
import { electedParts, leaderComponents, type ElectedParts } from './cluster-leadership.ts';
import { controllerComponents, controllerNames } from './cluster-controllers.ts';
import { hasRealNodes, observerOf, type Cluster, type ClusterOptions } from './cluster-options.ts';
import { clusterParts, type OwnClusterParts } from './cluster-parts.ts';
import {
  forkedFrom,
  openClusterStorage,
  putBack,
  snapshotOf,
  type ClusterSnapshot,
  type ClusterStorage,
} from '../storage/cluster-storage.ts';
import { componentAccess } from './component-access.ts';
import { administrator } from '../components/component-users.ts';
import { Components } from '../components/components.ts';
import { NodeDirectory } from '../nodes/node-directory.ts';
import { applyAddons } from '../components/addon.ts';

export type { Cluster, ClusterOptions, ForkOptions } from './cluster-options.ts';

/**
 * Starts everything and resolves when the API is served, the controllers' caches are filled and the nodes are
 * registered.
 * @throws Error with one clear line if the port is in use or the data directory cannot be used
 */
export async function startCluster(options: ClusterOptions = {}): Promise<Cluster> {
  const { clock = systemClock, storageDirectory, durability, log, etcd, history } = options;
  if (etcd !== undefined) return startOn(undefined, options);
  const observer = observerOf(options);
  return startOn(
    await openClusterStorage({ clock, storageDirectory, durability, log, history, observer }),
    options,
  );
}

/** Does the same with the contents of a cluster in memory. @throws Error for a snapshot of a store on disk */
export const startClusterFrom = (
  snapshot: ClusterSnapshot,
  options: Omit<ClusterOptions, 'storageDirectory' | 'durability'>,
): Promise<Cluster> => startOn(forkedFrom(snapshot, options.clock ?? systemClock), options);

/** @param own undefined for an etcd, which the API server opens itself */
async function startOn(own: ClusterStorage | undefined, options: ClusterOptions): Promise<Cluster> {
  const observer = observerOf(options);
  const controllers = controllerNames(options);
  const nodes = new NodeDirectory(options.nodes ?? 1, ownNodeName(options));
  const apiServer = await serveApi(own, options, nodes);
  const { address } = apiServer;
  const stopping = new AbortController();
  const parts = clusterParts(options, apiServer, stopping.signal);
  const { clock, factory, writes } = parts;
  const transport = (user = administrator) => apiServer.inProcess(user);
  const lastingClient = (user?: UserInfo) => createClient({ transport: transport(user), clock, observer });
  const elected = electedParts(controllers, options);
  const components: Components = new Components([
    ...controllerComponents(controllers, options, parts),
    ...clusterComponents(options, parts, { address, nodes }),
    ...leaderComponents(options, parts, lastingClient, { elected, components: () => components }),
  ]);
  const storageOf = (): ClusterStorage => {
    if (own === undefined) throw new Error('the data of this cluster is in an etcd, not in this process');
    return own;
  };
  const stop = async (): Promise<void> => {
    stopping.abort(new Error('the cluster is stopping'));
    const scope = scopeOf(observer, () => ({ kind: 'stop', component: 'coxswain', name: 'components' }));
    const each = () =>
      components.running.map((name) =>
        runStep(scope, `component/${name}`, () => components.stop(name), undefined, components.workOf(name)),
      );
    await runStep(scope, 'stop-components', () => Promise.allSettled([...each(), factory.stopped()]));
    await apiServer.stop();
  };
  try {
    await startAll(components, options, parts, stopping.signal, elected);
    if (controllers.includes(serviceAccountController))
      await podsAreAdmitted(lastingClient(), stopping.signal);
  } catch (failure) {
    await stop();
    throw failure;
  }
  return {
    apiServer,
    components,
    controllers,
    get kubelets() {
      return nodes.simulated;
    },
    get simulatedNodes() {
      return nodes.specs;
    },
    get network() {
      return nodes.network!;
    },
    get storage() {
      return storageOf();
    },
    address,
    transport,
    // Responses are encoded, as over a network, because the caller may modify the objects that it receives.
    client: (user = administrator) =>
      createClient({ transport: apiServer.inProcess(user, { structured: false }), clock, observer }),
    snapshot: () => snapshotOf(storageOf()),
    async reset(snapshot, { nodes: asked, running = components.running } = {}) {
      const storage = storageOf();
      await components.stopAll();
      await Promise.allSettled(writes);
      await putBack(storage, snapshot);
      if (snapshot.inMemory !== undefined) await factory.caughtUp(storage.currentRevision);
      if (asked !== undefined) nodes.ask(asked);
      await Promise.all(running.map((name) => components.start(name)));
    },
    fork: ({ snapshot = snapshotOf(storageOf()), ...other } = {}) =>
      forked(snapshot, { ...options, clock }, other),
    stop,
  };
}

/** Resolves when all components have filled their caches, except those that wait until this process leads. */
async function startAll(
  components: Components,
  options: ClusterOptions,
  { client, factory, observer }: OwnClusterParts,
  signal: AbortSignal,
  elected: ElectedParts,
): Promise<void> {
  const scope = scopeOf(observer, () => ({ kind: 'start', component: 'coxswain', name: 'components' }));
  if (options.etcd) await mustBeOfThisAuthority(client(administrator, signal), options);
  if (hasRealNodes(options))
    await applyAddons(client(administrator, signal), componentAccess(options.joinable !== undefined));
  const waiting = new Set(Object.values(elected).flat());
  const started = components.names
    .filter((name) => !waiting.has(name))
    .filter((name) => name !== 'scheduler' || options.scheduler !== false)
    .map((name) =>
      runStep(scope, `component/${name}`, () => components.start(name), undefined, components.workOf(name)),
    );
  factory.start(signal);
  await Promise.all(started);
}

async function forked(
  snapshot: ClusterSnapshot,
  { storageDirectory: _directory, port: _port, clock = systemClock, ...same }: ClusterOptions,
  { clock: itsClock = clock, ...other }: ClusterOptions,
): Promise<Cluster> {
  return startOn(forkedFrom(snapshot, itsClock), { ...same, ...other, clock: itsClock });
}

const serviceAccountController = 'serviceaccount-controller';

/** Resolves when the namespace `default` has its service account, without which no pod can be created there. */
async function podsAreAdmitted(client: KubeClient, signal: AbortSignal): Promise<void> {
  const accounts = client.resource('v1', 'serviceaccounts').namespace('default');
  for await (const { object } of accounts.watch({ signal })) if (object.metadata.name === 'default') return;
}
