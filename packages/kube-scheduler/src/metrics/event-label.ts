/** Names cluster events as in upstream's metrics. */
import type { ClusterEvent, EventAction } from '../framework/cluster-event.ts';

const actionLabels: Readonly<Record<EventAction, string>> = {
  add: 'Add',
  delete: 'Delete',
  update: 'Update',
  allocatable: 'UpdateNodeAllocatable',
  labels: 'Label',
  taints: 'UpdateNodeTaint',
  conditions: 'UpdateNodeCondition',
  annotations: 'UpdateNodeAnnotation',
  declaredFeatures: 'UpdateNodeDeclaredFeature',
  scaleDown: 'UpdatePodScaleDown',
  tolerations: 'UpdatePodToleration',
  gatesRemoved: 'UpdatePodSchedulingGatesEliminated',
  generatedClaims: 'UpdatePodGeneratedResourceClaim',
};

/** `NodeUpdateNodeTaint`, `AssignedPodDelete` */
export function eventLabel({ resource, action, before, after }: ClusterEvent): string {
  const label = action === 'labels' ? `Update${resource}Label` : actionLabels[action];
  return `${resource === 'Pod' ? podLabel(after ?? before) : resource}${label}`;
}

/** Distinguishes assigned pods from pending ones. */
const podLabel = (pod: unknown): string =>
  (pod as { readonly spec?: { readonly nodeName?: string } } | undefined)?.spec?.nodeName
    ? 'AssignedPod'
    : 'UnschedulablePod';
