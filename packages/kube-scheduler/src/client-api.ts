import { formatTime, type Clock, type KubeObject, type Random } from '@coxswain/apimachinery';
import type { PersistentVolumeClaim } from '@coxswain/api/core/v1/persistent-volume-claim.ts';
import type { ResourceClaim } from '@coxswain/api/resource/v1/resource-claim.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { InformerFactory, KubeClient } from '@coxswain/client';
import type { SchedulerApi } from './framework/scheduler-api.ts';
import { isBound, selectedNodeAnnotation } from './plugins/volume-binding/claims.ts';
import { SchedulerEventRecorder } from './scheduler-event-recorder.ts';

type LiveClaim = ResourceClaim & KubeObject;

const resourceClaims = { group: 'resource.k8s.io', version: 'v1', resource: 'resourceclaims' } as const;
const claims = { group: '', version: 'v1', resource: 'persistentvolumeclaims' } as const;

/** The scheduler's calls, over a client. `informers` tell when claims are bound. */
export function clientApi(
  client: KubeClient,
  informers: InformerFactory,
  clock: Clock,
  random: Random,
  onError: (error: unknown) => void,
): SchedulerApi {
  const podsOf = (pod: Pod) =>
    client.resource<Pod & KubeObject>('v1', 'pods').namespace(pod.metadata?.namespace ?? '');
  const resourceClaimsOf = (namespace: string | undefined) =>
    client.resource<LiveClaim>(resourceClaims).namespace(namespace ?? '');
  const recorder = new SchedulerEventRecorder({ client, clock, random, onError });
  return {
    async bind(pod, nodeName) {
      const { namespace = '', name = '', uid = '' } = pod.metadata ?? {};
      const target = { apiVersion: 'v1', kind: 'Node', name: nodeName };
      const binding = { apiVersion: 'v1', kind: 'Binding', metadata: { namespace, name, uid }, target };
      await podsOf(pod).create(binding as unknown as Pod & KubeObject, { name, subresource: 'binding' });
    },

    async patchPodStatus(pod, { condition, nominatedNodeName, extendedResourceClaimStatus }) {
      const known = pod.status?.conditions?.find(({ type }) => type === condition?.type);
      const lastTransitionTime =
        known !== undefined && known.status === condition?.status
          ? known.lastTransitionTime
          : formatTime(clock.now());
      const status = {
        ...(condition === undefined ? {} : { conditions: [{ ...condition, lastTransitionTime }] }),
        ...(nominatedNodeName === undefined ? {} : { nominatedNodeName: nominatedNodeName || null }),
        ...(extendedResourceClaimStatus === undefined ? {} : { extendedResourceClaimStatus }),
      };
      const patch = { metadata: { uid: pod.metadata?.uid }, status };
      await podsOf(pod).patch(pod.metadata?.name ?? '', patch, { type: 'strategic', subresource: 'status' });
    },

    async deletePod(pod) {
      await podsOf(pod).delete(pod.metadata?.name ?? '', { preconditions: { uid: pod.metadata?.uid ?? '' } });
    },

    async selectNodeForClaim(namespace, name, nodeName) {
      const annotations = { [selectedNodeAnnotation]: nodeName };
      await client.resource(claims).namespace(namespace).patch(name, { metadata: { annotations } });
    },

    async bindVolume(volumeName, namespace, name) {
      const claim = await client.resource(claims).namespace(namespace).get(name);
      const { uid, resourceVersion } = claim.metadata;
      const claimRef = {
        apiVersion: 'v1',
        kind: 'PersistentVolumeClaim',
        namespace,
        name,
        uid,
        resourceVersion,
      };
      const annotations = { 'pv.kubernetes.io/bound-by-controller': 'yes' };
      await client
        .resource('v1', 'persistentvolumes')
        .patch(volumeName, { metadata: { annotations }, spec: { claimRef } });
    },

    resourceClaim: (namespace, name) => resourceClaimsOf(namespace).get(name),
    createResourceClaim: (claim) => resourceClaimsOf(claim.metadata?.namespace).create(claim as LiveClaim),
    async deleteResourceClaim(namespace, name) {
      await resourceClaimsOf(namespace).delete(name);
    },
    updateResourceClaim: (claim) => resourceClaimsOf(claim.metadata?.namespace).update(claim as LiveClaim),
    updateResourceClaimStatus: (claim) =>
      resourceClaimsOf(claim.metadata?.namespace).updateStatus(claim as LiveClaim),

    async unreserveResourceClaim({ metadata }, podUid) {
      const reservedFor = [{ $patch: 'delete', uid: podUid }];
      const patch = { metadata: { uid: metadata?.uid }, status: { reservedFor } };
      await resourceClaimsOf(metadata?.namespace).patch(metadata?.name ?? '', patch, {
        subresource: 'status',
      });
    },

    claimBound: (namespace, name, signal) => claimBound(informers, namespace, name, signal),
    event: (event) => recorder.record(event),
  };
}

function claimBound(
  informers: InformerFactory,
  namespace: string,
  name: string,
  signal: AbortSignal,
): Promise<void> {
  const informer = informers.informer<PersistentVolumeClaim & KubeObject>(claims);
  return new Promise((resolve, reject) => {
    const check = (claim: PersistentVolumeClaim & KubeObject) => {
      if (claim.metadata.namespace === namespace && claim.metadata.name === name && isBound(claim))
        settle(resolve);
    };
    let settled = false;
    let removeHandler: (() => void) | undefined;
    const settle = (how: () => void) => {
      settled = true;
      removeHandler?.();
      signal.removeEventListener('abort', aborted);
      how();
    };
    const aborted = () => settle(() => reject(signal.reason as Error));
    signal.addEventListener('abort', aborted, { once: true });
    removeHandler = informer.addHandler({ added: check, updated: (_before, after) => check(after) });
    // The claim may have been bound when the handler was told of what there is.
    if (settled) removeHandler();
    else if (signal.aborted) aborted();
  });
}
