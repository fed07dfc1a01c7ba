/** What pods are given that does not come with their images: content of the API, volumes, and what plugins bring. */
import type { Clock, Random } from '@coxswain/apimachinery';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { KubeletFolders } from '../containers/pod-paths.ts';
import type { Kubelet } from '../kubelet.ts';
import type { NodeAgent } from '../node/node-agent.ts';
import { preparePlugins, type Plugins } from '../plugins/start-plugins.ts';
import type { RealKubeletOptions } from '../start-real-kubelet.ts';
import { ApiSources } from '../volumes/api-sources.ts';
import { PodVolumes } from '../volumes/pod-volumes.ts';
import type { NodeEvents } from './node-events.ts';

export interface StorageParts extends NodeEvents {
  readonly folders: KubeletFolders;
  readonly allocatable: Readonly<Record<string, string>>;
  readonly clock: Clock;
  readonly random: Random;
  readonly onError: (error: unknown) => void;
  /** Both are there before they are asked for. */
  readonly kubelet: () => Kubelet;
  readonly agent: () => NodeAgent;
}

export interface PodStorage {
  readonly sources: ApiSources;
  readonly plugins: Plugins;
  readonly volumes: PodVolumes;
}

export function podStorage(options: RealKubeletOptions, parts: StorageParts): PodStorage {
  const { client, settings, signal, nodeName, nodeIps } = options;
  const { clock, random, onError, folders, allocatable, kubelet, agent, event } = parts;
  const sources = new ApiSources({
    strategy: settings.configMapAndSecretChangeDetectionStrategy,
    client,
    clock,
    random,
    signal,
    onError,
    changed: (uid) => {
      const pod = kubelet().podByUid(uid);
      if (pod !== undefined) volumes.refresh(pod);
    },
  });
  const plugins = preparePlugins({
    client,
    nodeName,
    folders,
    sources,
    clock,
    signal,
    onError,
    refreshNode: () => agent().refresh(),
    healthChanged: (uids) => kubelet().reportAgain(uids),
    activePods: () => new Set(kubelet().pods().flatMap(uidIfActive)),
  });
  const volumes = new PodVolumes({
    clock,
    folders,
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
      facts: (pod) => ({ hostIps: nodeIps, podIps: kubelet().addressesOf(pod), allocatable }),
    },
  });
  return { sources, plugins, volumes };
}

const uidIfActive = ({ metadata, status }: Pod): readonly string[] =>
  status?.phase === 'Succeeded' || status?.phase === 'Failed' ? [] : [metadata?.uid ?? ''];

/** Writes again what has changed in the API, once in a while whatever is told. */
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
