import type { PersistentVolume } from '@coxswain/api/core/v1/persistent-volume.ts';
import { retryOn } from '../framework/cluster-event.ts';
import { plugin } from '../framework/plugin.ts';
import { fits, unresolvable } from '../status.ts';
import { storageClassNameOf } from './volume-binding/claims.ts';

/** A label of a volume and its acceptable values. */
interface Topology {
  readonly key: string;
  readonly values: ReadonlySet<string>;
}

const elsewhere = unresolvable('node(s) had no available volume zone');

/** Maps deprecated label names to current ones. */
const topologyLabels: Readonly<Record<string, string>> = {
  'failure-domain.beta.kubernetes.io/zone': 'topology.kubernetes.io/zone',
  'failure-domain.beta.kubernetes.io/region': 'topology.kubernetes.io/region',
  'topology.kubernetes.io/zone': 'topology.kubernetes.io/zone',
  'topology.kubernetes.io/region': 'topology.kubernetes.io/region',
};

/** Requires nodes in the zones given by the labels of the pod's volumes. */
export const volumeZone = plugin<readonly Topology[]>({
  name: 'VolumeZone',
  retryWhen: [
    retryOn('StorageClass', ['add']),
    retryOn('Node', ['add', 'labels']),
    retryOn('PersistentVolumeClaim', ['add', 'update']),
    retryOn('PersistentVolume', ['add', 'update']),
  ],
  preFilter(pod, { objects }) {
    const state: Topology[] = [];
    for (const { persistentVolumeClaim } of pod.pod.spec?.volumes ?? []) {
      if (!persistentVolumeClaim) continue;
      const claim = objects.claim(pod.namespace, persistentVolumeClaim.claimName);
      if (claim === undefined)
        return unresolvable(`persistentvolumeclaim "${persistentVolumeClaim.claimName}" not found`);
      if (!claim.spec?.volumeName) {
        const className = storageClassNameOf(claim);
        if (className === '')
          return unresolvable('PersistentVolumeClaim had no pv name and storageClass name');
        const storageClass = objects.storageClass(className);
        if (storageClass === undefined)
          return unresolvable(`storageclass.storage.k8s.io "${className}" not found`);
        if (storageClass.volumeBindingMode === 'WaitForFirstConsumer') continue;
        return unresolvable('PersistentVolume had no name');
      }
      const volume = objects.volume(claim.spec.volumeName);
      if (volume === undefined) return unresolvable(`persistentvolume "${claim.spec.volumeName}" not found`);
      state.push(...topologiesOf(volume));
    }
    return state.length === 0 ? 'skip' : { state };
  },
  filter(_pod, { labels }, topologies) {
    // A node without zone labels is not restricted.
    if (!Object.keys(topologyLabels).some((key) => labels[key] !== undefined)) return fits;
    const suits = ({ key, values }: Topology) =>
      values.has(labels[key] ?? labels[topologyLabels[key]!] ?? '\0');
    return topologies.every(suits) ? fits : elsewhere;
  },
});

/** Several zones are joined with `__`. */
const topologiesOf = ({ metadata }: PersistentVolume): Topology[] =>
  Object.keys(topologyLabels).flatMap((key) => {
    const text = metadata?.labels?.[key];
    return text === undefined ? [] : [{ key, values: new Set(text.split('__').map((part) => part.trim())) }];
  });
