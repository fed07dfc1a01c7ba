import type { NodeInfo } from '../cache/node-info.ts';
import type { PodInfo } from '../cache/pod-info.ts';
import type { Cluster } from '../framework/cluster.ts';
import { retryOn } from '../framework/cluster-event.ts';
import { plugin } from '../framework/plugin.ts';
import { fits, unschedulable } from '../status.ts';

/** The CSI driver of each volume. */
type Attachments = ReadonlyMap<string, string>;

const tooMany = unschedulable('node(s) exceed max volume count');

/** Limits the number of volumes of a CSI driver attached to a node. */
export const nodeVolumeLimits = plugin<Attachments>({
  name: 'NodeVolumeLimits',
  retryWhen: [
    retryOn('CSINode', ['add', 'update']),
    retryOn('Pod', ['delete'], (pod) => pod.claimNames.length > 0),
    retryOn('PersistentVolumeClaim', ['add']),
    retryOn('VolumeAttachment', ['delete']),
  ],
  preFilter(pod, cluster) {
    const state = attachmentsOf(pod, cluster);
    return state.size === 0 ? 'skip' : { state };
  },
  filter(_pod, node, wanted, cluster) {
    const limits = limitsOf(node, cluster);
    if (limits.size === 0) return fits;
    const attached = new Map<string, string>();
    for (const other of node.pods.values()) {
      for (const [volume, driver] of attachmentsOf(other, cluster)) attached.set(volume, driver);
    }
    for (const [driver, limit] of limits) {
      const countOf = (volumes: Iterable<[string, string]>) =>
        [...volumes].filter(([, of]) => of === driver).length;
      const fresh = countOf([...wanted].filter(([volume]) => !attached.has(volume)));
      if (fresh > 0 && countOf(attached) + fresh > limit) return tooMany;
    }
    return fits;
  },
});

function limitsOf(node: NodeInfo, cluster: Cluster): ReadonlyMap<string, number> {
  const limits = new Map<string, number>();
  for (const { name, allocatable } of cluster.objects.csiNode(node.name)?.spec?.drivers ?? []) {
    if (allocatable?.count !== undefined && allocatable.count !== null) limits.set(name, allocatable.count);
  }
  return limits;
}

/** By volume handle; an unbound claim counts as a volume of its class's driver. */
function attachmentsOf(pod: PodInfo, cluster: Cluster): Attachments {
  const found = new Map<string, string>();
  for (const name of pod.claimNames) {
    const claim = cluster.objects.claim(pod.namespace, name);
    const csi = cluster.objects.volume(claim?.spec?.volumeName ?? '')?.spec?.csi;
    if (csi) found.set(`${csi.driver}/${csi.volumeHandle}`, csi.driver);
    else if (claim !== undefined && !claim.spec?.volumeName) {
      const driver = cluster.objects.storageClass(claim.spec?.storageClassName ?? '')?.provisioner;
      if (driver) found.set(`${pod.namespace}/${name}`, driver);
    }
  }
  return found;
}
