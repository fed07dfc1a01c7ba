/** Opens the kubelet's port, and reads what is told there. What it takes is loaded only where it is served. */
import path from 'node:path';
import { systemRandom, type Clock } from '@coxswain/apimachinery';
import type { Node } from '@coxswain/api/core/v1/node.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import type { CriRuntime } from '../containers/cri-runtime.ts';
import type { Cri } from '../cri/cri-client.ts';
import type { Kubelet } from '../kubelet.ts';
import type { KubeletMetrics } from '../metrics/kubelet-metrics.ts';
import type { RealKubeletOptions } from '../start-real-kubelet.ts';
import type { VolumeUsage } from '../volumes/volume-usage.ts';
import type { NodeUsage } from './node-usage.ts';
import type { Family } from './plain-exposition.ts';

export interface UsageParts {
  readonly options: RealKubeletOptions;
  readonly counted: () => readonly Family[];
  readonly metrics: KubeletMetrics;
  readonly kubelet: Kubelet;
  readonly cri: Cri;
  readonly clock: Clock;
  readonly node: () => Node | undefined;
  readonly volumes: (pod: Pod) => Promise<readonly VolumeUsage[]>;
}

export function usageReader({
  options,
  kubelet,
  cri,
  clock,
  node,
  volumes,
  counted,
  metrics,
}: UsageParts): () => Promise<NodeUsage> {
  const { nodeName, rootFolder } = options;
  let reader: Promise<NodeUsage> | undefined;
  return () =>
    (reader ??= import('./node-usage.ts').then(
      (loaded) =>
        new loaded.NodeUsage({
          cri,
          clock,
          nodeName,
          rootFolder,
          pods: () => kubelet.pods(),
          node,
          volumes,
          counted,
          metrics,
        }),
    ));
}

export interface ServeParts {
  readonly options: RealKubeletOptions;
  readonly kubelet: Kubelet;
  readonly runtime: CriRuntime;
  readonly clock: Clock;
  readonly usage: () => Promise<NodeUsage>;
  readonly metrics: KubeletMetrics;
}

export async function openPort({ options, kubelet, runtime, clock, usage, metrics }: ServeParts) {
  const { settings, client, nodeName, rootFolder, log } = options;
  const { serveKubelet } = await import('./kubelet-server.ts');
  const certFolder = options.certFolder ?? path.join(rootFolder, 'pki');
  const certificates = await clusterSigned(options, certFolder, clock);
  const parts = { settings, client, certFolder, certificates, clock, log, nodeName, kubelet, runtime };
  return serveKubelet({ ...parts, usage: await usage(), metrics });
}

/** undefined where the kubelet makes its certificate itself, or is given one. */
async function clusterSigned(options: RealKubeletOptions, certFolder: string, clock: Clock) {
  const { settings, client, nodeName, nodeIps, signal, log, random = systemRandom } = options;
  if (!settings.serverTLSBootstrap) return undefined;
  const { servingCertificates } = await import('../certificates/serving-certificates.ts');
  const onError = (error: unknown): void => log(messageOf(error));
  return servingCertificates({ client, clock, random, signal, certFolder, nodeName, nodeIps, onError });
}
