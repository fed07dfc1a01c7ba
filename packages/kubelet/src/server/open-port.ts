/** Opens the kubelet's port and serves the node's state. The code is loaded only if the port is served. */
import path from 'node:path';
import { systemRandom, type Clock } from '@coxswain/apimachinery';
import type { Node } from '@coxswain/api/core/v1/node.ts';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import type { CriRuntime } from '../containers/cri-runtime.ts';
import type { Kubelet } from '../kubelet.ts';
import type { NodeState } from '../node/node-state.ts';
import type { Plugins } from '../plugins/start-plugins.ts';
import type { NodePods } from '../worker/node-pods.ts';
import type { NodeEnvironment } from '../real/node-environment.ts';
import type { RealKubeletOptions } from '../config/real-kubelet-options.ts';
import type { PodVolumes } from '../volumes/pod-volumes.ts';
import { VolumeUsages } from '../volumes/volume-usage.ts';
import type { NodeUsage } from './node-usage.ts';
import type { Family } from '../metrics/plain-exposition.ts';

export interface UsageParts {
  readonly environment: Pick<NodeEnvironment, 'cri' | 'metrics'>;
  readonly clock: Clock;
  readonly node: { seen(): Node | undefined };
  readonly pods: NodePods;
  readonly housekeeping: { counted(): readonly Family[] };
  readonly volumes: PodVolumes;
  readonly plugins: Plugins;
}

export function usageReader(
  { nodeName, rootDirectory }: RealKubeletOptions,
  { environment, clock, node, pods, housekeeping, volumes, plugins }: UsageParts,
): () => Promise<NodeUsage> {
  const fullness = new VolumeUsages({ clock, mounted: (uid) => volumes.of(uid), csi: plugins.csi });
  let reader: Promise<NodeUsage> | undefined;
  return () =>
    (reader ??= import('./node-usage.ts').then(
      (loaded) =>
        new loaded.NodeUsage({
          cri: environment.cri,
          clock,
          nodeName,
          rootDirectory,
          pods: () => pods.all(),
          node: () => node.seen(),
          volumes: (pod) => fullness.of(pod),
          counted: () => housekeeping.counted(),
          metrics: environment.metrics,
        }),
    ));
}

export interface ServeParts {
  readonly environment: Pick<NodeEnvironment, 'metrics'>;
  readonly state: NodeState;
  readonly kubelet: Kubelet;
  readonly runtime: CriRuntime;
  readonly clock: Clock;
  readonly usage: () => Promise<NodeUsage>;
}

/** Resolves with a function that closes the port; nothing is opened if the settings disable it. */
export async function openPort(
  options: RealKubeletOptions,
  { environment, state, kubelet, runtime, clock, usage }: ServeParts,
): Promise<() => Promise<void>> {
  const { settings, client, nodeName, rootDirectory, log } = options;
  if (!settings.enableServer) return () => Promise.resolve();
  const { serveKubelet } = await import('./kubelet-server.ts');
  const certDirectory = options.certDirectory ?? path.join(rootDirectory, 'pki');
  const certificates = await clusterSigned(options, certDirectory, clock);
  const parts = { settings, client, certDirectory, certificates, clock, log, nodeName, kubelet, runtime };
  const server = await serveKubelet({ ...parts, usage: await usage(), metrics: environment.metrics });
  state.port = server.port;
  return () => server.close();
}

/** Undefined if the kubelet creates its certificate itself, or was given one. */
async function clusterSigned(options: RealKubeletOptions, certDirectory: string, clock: Clock) {
  const { settings, client, nodeName, nodeIps, signal, log, random = systemRandom } = options;
  if (!settings.serverTLSBootstrap) return undefined;
  const { servingCertificates } = await import('../certificates/serving-certificates.ts');
  const onError = (error: unknown): void => log(messageOf(error));
  return servingCertificates({ client, clock, random, signal, certDirectory, nodeName, nodeIps, onError });
}
