import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { Volume } from '@coxswain/api/core/v1/volume.ts';
import type { NodeInfo } from '../cache/node-info.ts';
import { retryOn } from '../framework/cluster-event.ts';
import { plugin } from '../framework/plugin.ts';
import { fits, unresolvable, unschedulable } from '../status.ts';

interface State {
  /** Claims that only one pod may use (ReadWriteOncePod). */
  readonly exclusiveClaims: ReadonlySet<string>;
  /** How many of them another pod already uses. */
  usedElsewhere: number;
}

const diskInUse = unschedulable('node(s) had no available disk');
const claimInUse = unschedulable(
  'node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already in-use by another pod',
);

/** Enforces that disks and claims that cannot be shared are not. */
export const volumeRestrictions = plugin<State>({
  name: 'VolumeRestrictions',
  retryWhen: [
    retryOn(
      'Pod',
      ['delete'],
      (pod, { before }) => (before as Pod).metadata?.namespace === pod.namespace || hasDisk(pod.pod),
    ),
    retryOn('Node', ['add']),
    retryOn('PersistentVolumeClaim', ['add']),
  ],
  preFilter(pod, cluster) {
    const exclusiveClaims = new Set<string>();
    for (const { persistentVolumeClaim } of pod.pod.spec?.volumes ?? []) {
      if (!persistentVolumeClaim) continue;
      const name = persistentVolumeClaim.claimName;
      const claim = cluster.objects.claim(pod.namespace, name);
      if (claim === undefined) return unresolvable(`persistentvolumeclaim "${name}" not found`);
      if (claim.spec?.accessModes?.includes('ReadWriteOncePod')) exclusiveClaims.add(name);
    }
    const usedElsewhere = [...exclusiveClaims].filter(
      (name) => cluster.claimUses(`${pod.namespace}/${name}`) > 0,
    ).length;
    return usedElsewhere === 0 && !hasDisk(pod.pod) ? 'skip' : { state: { exclusiveClaims, usedElsewhere } };
  },
  addPod: (state, pod, other) => shift(state, pod.namespace, other.namespace, other.claimNames, 1),
  removePod: (state, pod, other) => shift(state, pod.namespace, other.namespace, other.claimNames, -1),
  cloneState: (state) => ({ ...state }),
  filter(pod, node, state) {
    if (hasDiskConflict(pod.pod, node)) return diskInUse;
    return state.usedElsewhere > 0 ? claimInUse : fits;
  },
});

function shift(state: State, namespace: string, other: string, claims: readonly string[], by: 1 | -1): void {
  if (namespace !== other) return;
  for (const name of claims) if (state.exclusiveClaims.has(name)) state.usedElsewhere += by;
}

/** For each type of disk, when two pods cannot use the same one. */
const conflicts: readonly ((a: Volume, b: Volume) => boolean)[] = [
  ({ gcePersistentDisk: a }, { gcePersistentDisk: b }) =>
    Boolean(a && b && a.pdName === b.pdName && !(a.readOnly && b.readOnly)),
  ({ awsElasticBlockStore: a }, { awsElasticBlockStore: b }) => Boolean(a && b && a.volumeID === b.volumeID),
  ({ iscsi: a }, { iscsi: b }) => Boolean(a && b && a.iqn === b.iqn && !(a.readOnly && b.readOnly)),
  ({ rbd: a }, { rbd: b }) =>
    Boolean(
      a &&
      b &&
      a.monitors?.some((monitor) => b.monitors?.includes(monitor)) &&
      a.pool === b.pool &&
      a.image === b.image &&
      !(a.readOnly && b.readOnly),
    ),
];

const isDisk = (volume: Volume): boolean =>
  Boolean(volume.gcePersistentDisk || volume.awsElasticBlockStore || volume.iscsi || volume.rbd);

const hasDisk = (pod: Pod): boolean => (pod.spec?.volumes ?? []).some(isDisk);

function hasDiskConflict(pod: Pod, node: NodeInfo): boolean {
  const disks = (pod.spec?.volumes ?? []).filter(isDisk);
  if (disks.length === 0) return false;
  const used = [...node.pods.values()].flatMap((other) => (other.pod.spec?.volumes ?? []).filter(isDisk));
  return disks.some((disk) => used.some((other) => conflicts.some((conflict) => conflict(disk, other))));
}
