/** What pods receive apart from their images: API contents, volumes, and devices of plugins. */
import type { Clock, Random } from '@coxswain/apimachinery';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { NodeState } from '../node/node-state.ts';
import { preparePlugins, type Plugins } from '../plugins/start-plugins.ts';
import type { NodePods } from '../worker/node-pods.ts';
import type { RealKubeletOptions } from '../config/real-kubelet-options.ts';
import { ApiSources } from '../volumes/api-sources.ts';
import { PodVolumes } from '../volumes/pod-volumes.ts';
import type { NodeEnvironment } from './node-environment.ts';
import type { NodeEvents } from './node-events.ts';

export interface StorageParts extends NodeEvents {
  readonly environment: NodeEnvironment;
  readonly clock: Clock;
  readonly random: Random;
  readonly onError: (error: unknown) => void;
  readonly pods: NodePods;
  readonly state: NodeState;
}

export interface PodStorage {
  readonly sources: ApiSources;
  readonly plugins: Plugins;
  readonly volumes: PodVolumes;
}

export function podStorage(options: RealKubeletOptions, parts: StorageParts): PodStorage {
  const { client, settings, signal, nodeName, nodeIps, observer } = options;
  const { clock, random, onError, pods, state, event } = parts;
  const { directories, allocatable, metrics } = parts.environment;
  const sources = new ApiSources({
    strategy: settings.configMapAndSecretChangeDetectionStrategy,
    client,
    clock,
    random,
    signal,
    onError,
  });
  const plugins = preparePlugins({
    client,
    nodeName,
    directories,
    sources,
    metrics: metrics.metrics,
    clock,
    signal,
    onError,
    refreshNode: () => state.changed(),
    healthChanged: (uids) => pods.reportAgain(uids),
    activePods: () => new Set(pods.all().flatMap(uidIfActive)),
  });
  const volumes = new PodVolumes({
    observer,
    clock,
    directories,
    onError,
    csi: plugins.csi,
    expanded: (pod, volume) =>
      event(pod, {
        type: 'Normal',
        reason: 'FileSystemResizeSuccessful',
        message: `MountVolume.NodeExpandVolume succeeded for volume "${volume}"`,
      }),
    sources: {
      configMap: (namespace, name, uid) => sources.configMap(namespace, name, uid),
      secret: (namespace, name, uid) => sources.secret(namespace, name, uid),
      token: (pod, audience, seconds) => sources.token(pod, audience, seconds),
      trustBundles: (choice) => sources.trustBundles(choice),
      claim: (namespace, name) => sources.claim(namespace, name),
      claimGrown: (claim, storage) => sources.claimGrown(claim, storage),
      persistentVolume: (name) => sources.persistentVolume(name),
      facts: (pod) => ({ hostIps: nodeIps, podIps: pods.addressesOf(pod), allocatable }),
    },
  });
  sources.onChange((uid) => {
    const pod = pods.byUid(uid);
    if (pod !== undefined) volumes.refresh(pod);
  });
  return { sources, plugins, volumes };
}

const uidIfActive = ({ metadata, status }: Pod): readonly string[] =>
  status?.phase === 'Succeeded' || status?.phase === 'Failed' ? [] : [metadata?.uid ?? ''];

/** Rewrites contents that have changed in the API, also periodically without a notification. */
export async function keepVolumesFresh(
  volumes: PodVolumes,
  everyMs: number,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await clock.sleep(everyMs, signal).catch(() => undefined);
    if (!signal.aborted) volumes.refreshAll();
  }
}
