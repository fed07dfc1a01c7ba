import { formatTime, type Clock, type KubeObject, type Random } from '@coxswain/apimachinery';
import type { PersistentVolumeClaim } from '@coxswain/api/core/v1/persistent-volume-claim.ts';
import type { PersistentVolume } from '@coxswain/api/core/v1/persistent-volume.ts';
import type { ResourceClaim } from '@coxswain/api/resource/v1/resource-claim.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { Informer, InformerFactory, KubeClient } from '@coxswain/client';
import type { SchedulerApi } from './framework/scheduler-api.ts';
import { isBound, selectedNodeAnnotation } from './plugins/volume-binding/claims.ts';
import { SchedulerEventRecorder } from './scheduler-event-recorder.ts';

type LiveClaim = ResourceClaim & KubeObject;
type LiveVolumeClaim = PersistentVolumeClaim & KubeObject;

const resourceClaims = { group: 'resource.k8s.io', version: 'v1', resource: 'resourceclaims' } as const;
const claims = { group: '', version: 'v1', resource: 'persistentvolumeclaims' } as const;

/** Implements the scheduler's calls with a client. `informers` report when claims are bound. */
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

    selectNodeForClaim({ metadata: { namespace = '', name = '', uid } = {} }, nodeName) {
      const annotations = { [selectedNodeAnnotation]: nodeName };
      return client
        .resource<LiveVolumeClaim>(claims)
        .namespace(namespace)
        .patch(name, { metadata: { uid, annotations } });
    },

    bindVolume({ metadata: known, spec }, { metadata: { namespace, name, uid, resourceVersion } = {} }) {
      const kind = 'PersistentVolumeClaim';
      const claimRef = { apiVersion: 'v1', kind, namespace, name, uid, resourceVersion };
      // A volume that its user has pre-bound to the claim remains so when it is released.
      const annotations = spec?.claimRef ? {} : { 'pv.kubernetes.io/bound-by-controller': 'yes' };
      const metadata = { resourceVersion: known?.resourceVersion, annotations };
      return client
        .resource<PersistentVolume & KubeObject>('v1', 'persistentvolumes')
        .patch(known?.name ?? '', { metadata, spec: { claimRef } });
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

    claimBound: (claim, nodeName, signal) =>
      claimBound(informers.informer<LiveVolumeClaim>(claims), claim, nodeName, signal),
    event: (event) => recorder.record(event),
  };
}

function claimBound(
  informer: Informer<LiveVolumeClaim>,
  { metadata: { namespace = '', name = '', uid, resourceVersion } = {} }: PersistentVolumeClaim,
  nodeName: string,
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let settled = false;
    let removeHandler: (() => void) | undefined;
    const settle = (how: () => void) => {
      settled = true;
      removeHandler?.();
      signal.removeEventListener('abort', aborted);
      how();
    };
    const aborted = () => settle(() => reject(signal.reason as Error));
    const fail = (why: string) => settle(() => reject(new Error(`binding volumes: ${why}`)));
    const isIt = ({ metadata }: LiveVolumeClaim) =>
      metadata.namespace === namespace && metadata.name === name;
    const check = (claim: LiveVolumeClaim) => {
      if (settled || !isIt(claim) || claim.metadata.uid !== uid) return;
      const isOld = Number(claim.metadata.resourceVersion) < Number(resourceVersion);
      const selected = claim.metadata.annotations?.[selectedNodeAnnotation];
      // The provisioner removes the annotation to report that it can't create a volume for that node.
      if (nodeName !== '' && !isOld && selected !== nodeName) fail(`provisioning failed for PVC "${name}"`);
      else if (isBound(claim)) settle(resolve);
    };
    const gone = (claim: LiveVolumeClaim) => {
      if (settled || !isIt(claim)) return;
      const what = nodeName === '' ? 'binding' : 'provisioning pvc';
      fail(`failed to check ${what}: could not find v1.PersistentVolumeClaim "${namespace}/${name}"`);
    };
    signal.addEventListener('abort', aborted, { once: true });
    removeHandler = informer.addHandler({
      added: check,
      updated: (_before, after) => check(after),
      deleted: gone,
    });
    // The claim may have been bound already when the handler received the initial objects.
    if (settled) removeHandler();
    else if (signal.aborted) aborted();
  });
}
