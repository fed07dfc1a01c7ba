/**
 * The claim that the scheduler creates for a pod whose extended resources are backed by devices. Its requests depend on
 * the node: resources provided by a device plugin are omitted. It is written once the node is chosen.
 */
import type { ContainerExtendedResourceRequest } from '@coxswain/api/core/v1/pod-status.ts';
import type { ResourceClaim } from '@coxswain/api/resource/v1/resource-claim.ts';
import type { NodeInfo } from '../../cache/node-info.ts';
import { canBeDevices } from '../../cache/extended-resource-classes.ts';
import type { PodInfo } from '../../cache/pod-info.ts';
import type { ClusterObjects } from '../../framework/cluster.ts';
import { fits, unresolvable, type Status } from '../../status.ts';
import { extendedRequestsOf } from './extended-requests.ts';

/** The claim's requests on one node. */
export interface NodeClaim {
  readonly claim: ResourceClaim;
  readonly mappings: readonly ContainerExtendedResourceRequest[];
}

/** The state of one attempt to place a pod. */
export interface ExtendedClaim {
  /** Has no requests, unless an earlier attempt left it behind. */
  readonly claim: ResourceClaim;
  readonly byNode: Map<string, NodeClaim>;
  /** The part of it that has been written. */
  written: ResourceClaim | undefined;
}

const annotation = 'resource.kubernetes.io/extended-resource-claim';
/** No claim in the API can have this name. */
const unwrittenName = '<extended-resources>';

/** Whether any of the pod's requests can be satisfied with devices. */
export function asksForDevices({ requests }: PodInfo, objects: ClusterObjects): boolean {
  for (const [name, amount] of requests.scalars)
    if (amount !== 0 && canBeDevices(name) && objects.classOfResource(name) !== undefined) return true;
  return false;
}

/** Returns the claim that an earlier attempt wrote, or a new one. */
export function extendedClaimFor(
  pod: PodInfo,
  claims: Iterable<ResourceClaim>,
  newUid: () => string,
): ExtendedClaim {
  for (const claim of claims) if (isMadeFor(claim, pod)) return { claim, byNode: new Map(), written: claim };
  const owner = { apiVersion: 'v1', kind: 'Pod', name: pod.name, uid: pod.uid, controller: true };
  const claim: ResourceClaim = {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceClaim',
    metadata: {
      namespace: pod.namespace,
      name: unwrittenName,
      uid: newUid(),
      generateName: `${pod.name}-extended-resources-`,
      ownerReferences: [owner],
      annotations: { [annotation]: 'true' },
    },
    spec: { devices: { requests: [] } },
    status: {},
  };
  return { claim, byNode: new Map(), written: undefined };
}

export const isUnwritten = ({ metadata }: ResourceClaim): boolean => metadata?.name === unwrittenName;

const isMadeFor = ({ metadata }: ResourceClaim, pod: PodInfo): boolean =>
  metadata?.annotations?.[annotation] === 'true' &&
  (metadata.ownerReferences ?? []).some(
    ({ name, uid, controller }) => controller && name === pod.name && uid === pod.uid,
  );

/**
 * Records in `byNode` what the claim requests on the node; nothing if the node itself has all the resources.
 * @param hasOthers whether the pod also has claims of its own
 */
export function askOnNode(
  { claim, byNode }: ExtendedClaim,
  pod: PodInfo,
  { name: nodeName, allocatable }: NodeInfo,
  hasOthers: boolean,
  objects: ClusterObjects,
): Status {
  byNode.delete(nodeName);
  // A leftover of an earlier attempt must be deleted first.
  if (claim.spec.devices.requests?.length) return unresolvable('cannot schedule extended resource claim');
  const classes = new Map<string, string>();
  for (const [name, amount] of pod.requests.scalars) {
    if (amount === 0 || !canBeDevices(name)) continue;
    const deviceClass = objects.classOfResource(name);
    if (deviceClass !== undefined && !allocatable.scalars.get(name))
      classes.set(name, deviceClass.metadata?.name ?? '');
    else if (!allocatable.scalars.has(name)) return unresolvable('cannot fit resource');
  }
  if ((classes.size === 0 && !hasOthers) || claim.status?.allocation) return fits;
  const { requests, mappings } = extendedRequestsOf(pod.pod, classes);
  const devices = { ...claim.spec.devices, requests: [...requests] };
  byNode.set(nodeName, { claim: { ...claim, spec: { ...claim.spec, devices } }, mappings });
  return fits;
}
