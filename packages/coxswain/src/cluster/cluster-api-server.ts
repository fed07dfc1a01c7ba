/** The API server of a single-process cluster. */
import { createClient } from '@coxswain/client';
import {
  networkForwarder,
  networkKubelets,
  type KubeApiServer,
  type KubeApiServerSettings,
} from '@coxswain/kube-apiserver';
import { lazyWebhookCaller } from '@coxswain/kube-apiserver/webhooks/lazy-webhook-caller.ts';
import { createKubeApiServer } from '@coxswain/kube-apiserver/create.ts';
import { plainSettings } from '@coxswain/kube-apiserver/settings.ts';
import { workersOf } from '@coxswain/kube-apiserver/workers/worker-count.ts';
import { systemClock, systemRandom } from '@coxswain/apimachinery';
import { hasRealNodes, observerOf, type ClusterOptions } from './cluster-options.ts';
import { aggregatorClient, kubeletClient, nearAddressTypes, servingSettings } from './cluster-serving.ts';
import { definedWebhookCaller, type DefinedWebhooks } from './defined-webhooks.ts';
import type { ClusterStorage } from '../storage/cluster-storage.ts';
import { kubeletBridge } from '../nodes/kubelet-bridge.ts';
import type { NodeDirectory } from '../nodes/node-directory.ts';
import { simulatedForwarder } from '../nodes/simulated-forwarder.ts';
import { simulatedPlaces, type SimulatedPlaces } from '../nodes/simulated-places.ts';
import { simulatedWebhookCaller } from '../nodes/simulated-webhook-caller.ts';
import { recordingService } from '../trace/recording-paths.ts';

/**
 * Resolves when the server is serving; closing it also closes the storage.
 * @param storage undefined if the options name an etcd
 * @throws Error with one clear line if the port is in use
 */
export async function serveApi(
  storage: ClusterStorage | undefined,
  options: ClusterOptions,
  nodes: NodeDirectory,
): Promise<KubeApiServer> {
  const { clock = systemClock, random = systemRandom, log = () => {}, recordings } = options;
  // Forwards to pods and extension servers, and to nodes of other processes.
  const forwarder = networkForwarder(kubeletClient(options), aggregatorClient(options));
  const elsewhere = networkKubelets(forwarder, nearAddressTypes);
  const serving = servingSettings(options);
  const places = simulatedPlaces(nodes, hasRealNodes(options));
  // A metrics-server in simulated containers measures nothing.
  const isMeasured = options.servesMetrics === true && !hasRealNodes(options);
  const servedHere = new Set(isMeasured ? ['v1beta1.metrics.k8s.io'] : []);
  try {
    const server = await createKubeApiServer({
      clock,
      random,
      log,
      ...(storage && { storage }),
      ...(options.etcd && { etcd: options.etcd }),
      forwarder: simulatedForwarder(places, forwarder),
      ...(options.audit && { audit: options.audit }),
      ...(options.newUid && { newUid: options.newUid }),
      ...(options.transient && { transient: options.transient }),
      ...(options.guests && storage && { guests: options.guests(storage) }),
      ...(options.servesMetrics === true && { extraGroups: [await measuredGroup(nodes)] }),
      servedHere,
      kubelets: kubeletBridge({ nodes, elsewhere, clock, log }),
      observer: observerOf(options),
      processStarted: options.processStarted,
      ...(recordings && recordingService(recordings, clock)),
      webhookCaller: callerFor(places, options.webhooks),
      ...serving,
      ...threadsOf(options, serving, servedHere, log),
    });
    if (recordings) await showRoutes(server);
    return server;
  } catch (failure) {
    await storage?.close();
    throw failure;
  }
}

/** Serving threads do without what cannot be sent to them; their log is that of the cluster. */
function threadsOf(
  { threads, servesMetrics, etcd }: ClusterOptions,
  serving: Partial<KubeApiServerSettings>,
  servedHere: ReadonlySet<string>,
  write: (text: string) => void,
): Partial<KubeApiServerSettings> {
  if (threads === undefined) return {};
  if (threads === 1) {
    const settings = { kind: 'plain', settings: plainSettings(serving) } as const;
    return { workers: { count: workersOf(0), settings, callsWebhooks: true } };
  }
  const groupsOfMain = servesMetrics === true ? ['metrics.k8s.io'] : [];
  const plain = { ...serving, servedHere, ...(etcd && { etcd }) };
  const settings = { kind: 'plain', settings: plain, groupsOfMain } as const;
  return { servingThreads: { count: threads, settings, write } };
}

const callerFor =
  (
    places: SimulatedPlaces,
    webhooks: DefinedWebhooks | undefined,
  ): NonNullable<KubeApiServerSettings['webhookCaller']> =>
  (resolve) => {
    const caller = simulatedWebhookCaller(places, resolve, lazyWebhookCaller);
    return webhooks === undefined ? caller : definedWebhookCaller(webhooks, caller);
  };

/** Loaded only if recordings can be requested. */
async function showRoutes(server: KubeApiServer): Promise<void> {
  const [{ installRoutesPath }, { nodePlaces }] = await Promise.all([
    import('../trace/route-facts.ts'),
    import('../trace/node-places.ts'),
  ]);
  installRoutesPath(server, nodePlaces());
}

/** Loaded only if metrics are served. */
async function measuredGroup(nodes: NodeDirectory) {
  const [{ metricsGroup }, { nodeMeasurements }] = await Promise.all([
    import('../simulated-metrics/metrics-group.ts'),
    import('../simulated-metrics/node-measurements.ts'),
  ]);
  return metricsGroup(
    ({ clock, loopback }) =>
      nodeMeasurements({
        nodes,
        clock,
        client: () => createClient({ transport: loopback.transport, clock }),
      }),
    (node, pod, container) => nodes.usage(node, pod, container),
  );
}
