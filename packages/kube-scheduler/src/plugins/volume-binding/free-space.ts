import {
  compareQuantities,
  labelSelectorFromSpec,
  parseQuantity,
  type LabelSelectorSpec,
} from '@coxswain/apimachinery';
import type { PersistentVolumeClaim } from '@coxswain/api/core/v1/persistent-volume-claim.ts';
import type { NodeInfo } from '../../cache/node-info.ts';
import type { ClusterObjects } from '../../framework/cluster.ts';
import { storageClassNameOf } from './claims.ts';

/**
 * Whether the driver of the claim's class has capacity near the node. A driver that does not report capacity always
 * has.
 */
export function hasSpace(claim: PersistentVolumeClaim, node: NodeInfo, objects: ClusterObjects): boolean {
  const size = claim.spec?.resources?.requests?.['storage'];
  const className = storageClassNameOf(claim);
  const driver = objects.csiDriver(objects.storageClass(className)?.provisioner ?? '');
  if (size === undefined || !driver?.spec.storageCapacity) return true;
  const wanted = parseQuantity(size);
  for (const { storageClassName, capacity, maximumVolumeSize, nodeTopology } of objects.storageCapacities()) {
    const room = maximumVolumeSize ?? capacity;
    if (storageClassName !== className || room == null || !nodeTopology) continue;
    if (compareQuantities(parseQuantity(room), wanted) < 0) continue;
    if (labelSelectorFromSpec(nodeTopology as LabelSelectorSpec).matches(node.labels)) return true;
  }
  return false;
}
