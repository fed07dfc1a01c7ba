/** Deletes pods whose devices have NoExecute taints as soon as their claims no longer tolerate them. */

import { resourceClaimName } from '@coxswain/api/core/v1/pod/claim-names.ts';
import { isStatusError } from '@coxswain/apimachinery';
import { objectKey } from '@coxswain/client';
import type { Controller, ControllerContext } from '../controller.ts';
import { onChange, onWrite } from '../event-handlers.ts';
import { resources, type Pod, type ResourceClaim, type ResourceSlice } from '../objects.ts';
import { disruptionTarget } from '../pods/disruption-target.ts';
import { startReconciler } from '../reconciler.ts';
import {
  isMadeFor,
  isReservedFor,
  podsByResourceClaim,
  resourceClaimIndex,
} from '../resourceclaim/claims-of-pods.ts';
import { evictionTimeMs, poolIndex, poolsOfClaim, slicesByPool } from './eviction-time.ts';

const controllerName = 'device-taint-eviction-controller';
const claimPoolIndex = 'allocatedPools';

export const deviceTaintEvictionController: Controller = {
  name: controllerName,
  aliases: [],
  featureGates: ['DynamicResourceAllocation', 'DRADeviceTaints'],
  serviceAccount: controllerName,
  start(context) {
    const { informers, clock } = context;
    const pods = informers.informer<Pod>(resources.pods, { [resourceClaimIndex]: podsByResourceClaim });
    const claims = informers.informer<ResourceClaim>(resources.resourceClaims, {
      [claimPoolIndex]: poolsOfClaim,
    });
    const slices = informers.informer<ResourceSlice>(resources.resourceSlices, { [poolIndex]: slicesByPool });
    /** Pods that are scheduled for deletion. */
    const due = new Set<string>();
    const reconciler = startReconciler(context, {
      queueName: 'device-taint-eviction-controller',
      ready: () => Promise.all([pods.synced, claims.synced, slices.synced]),
      reconcile: async function syncDeviceTaintEviction(key) {
        const pod = pods.lister.byKey(key);
        if (pod === undefined || pod.metadata.deletionTimestamp !== undefined) return void due.delete(key);
        const dueMs = timeOf(pod);
        if (dueMs === undefined) {
          if (due.delete(key)) report(context, pod, 'Cancelling deletion');
          return;
        }
        due.add(key);
        if (dueMs > clock.now()) return dueMs - clock.now();
        await evict(context, pod);
        due.delete(key);
      },
    });
    const timeOf = (pod: Pod): number | undefined => {
      if (!pod.spec?.nodeName) return undefined;
      const times = (pod.spec.resourceClaims ?? []).map((podClaim) => {
        const named = resourceClaimName(pod, podClaim);
        if (named.kind !== 'named') return undefined;
        const claim = claims.lister.get(named.name, pod.metadata.namespace);
        if (claim === undefined || !isReservedFor(pod, claim)) return undefined;
        if (named.isGenerated && !isMadeFor(pod, claim)) return undefined;
        return evictionTimeMs(claim, (pool) => slices.lister.byIndex(poolIndex, pool));
      });
      const first = Math.min(...times.filter((time) => time !== undefined));
      return first === Infinity ? undefined : first;
    };
    const look = (pod: Pod) => {
      if (pod.spec?.nodeName && pod.spec.resourceClaims?.length) reconciler.addObject(pod);
    };
    const lookAtPods = (claim: ResourceClaim) =>
      pods.lister.byIndex(resourceClaimIndex, objectKey(claim)).forEach(look);
    const lookAtClaims = (slice: ResourceSlice) =>
      slicesByPool(slice).forEach((pool) => claims.lister.byIndex(claimPoolIndex, pool).forEach(lookAtPods));
    pods.addHandler({
      ...onWrite(look),
      deleted: (pod) => void due.delete(objectKey(pod)),
    });
    claims.addHandler(onWrite(lookAtPods));
    slices.addHandler(onChange(lookAtClaims));
  },
};

async function evict(context: ControllerContext, pod: Pod): Promise<void> {
  const { namespace = '', name = '', uid = '' } = pod.metadata;
  report(context, pod, 'Marking for deletion');
  const client = context.client.resource<Pod>(resources.pods).namespace(namespace);
  const condition = disruptionTarget(pod, 'True', context.clock.now(), {
    reason: 'DeletionByDeviceTaintManager',
    message: 'Device Taint manager: deleting due to NoExecute taint',
  });
  try {
    const status = { conditions: [condition] };
    await client.patch(name, { metadata: { uid }, status }, { subresource: 'status' });
    await client.delete(name, { preconditions: { uid } });
  } catch (error) {
    if (!isStatusError(error, 'NotFound')) throw error;
  }
}

function report(context: ControllerContext, { metadata }: Pod, message: string): void {
  const { namespace = '', name = '', uid = '' } = metadata;
  const about = { apiVersion: 'v1', kind: 'Pod', namespace, name, uid };
  context.events(controllerName).event(about, 'Normal', 'DeviceTaintManagerEviction', message);
}
