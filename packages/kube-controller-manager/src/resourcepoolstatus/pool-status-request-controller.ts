/** Answers each ResourcePoolStatusRequest once with the number of allocated devices in a driver's pools. */
import type { ResourcePoolStatusRequest as RequestShape } from '@coxswain/api/resource/v1alpha3/resource-pool-status-request.ts';
import {
  epochMsOf,
  formatTime,
  isStatusError,
  type GroupVersionResource,
  type KubeObject,
} from '@coxswain/apimachinery';
import type { Controller } from '../controller.ts';
import { onWrite } from '../event-handlers.ts';
import { resources, type ResourceClaim, type ResourceSlice } from '../objects.ts';
import { startReconciler } from '../reconciler.ts';
import { poolTotals } from './pool-totals.ts';

type PoolStatusRequest = Omit<RequestShape, 'metadata' | 'kind' | 'apiVersion'> & KubeObject;

const poolStatusRequests: GroupVersionResource = {
  group: 'resource.k8s.io',
  version: 'v1alpha3',
  resource: 'resourcepoolstatusrequests',
};

/** The number of attempts while slices of a pool are missing. */
const retriesMax = 5;
const poolsMaxDefault = 100;
const cleaningPeriodMs = 10 * 60_000;
const answeredAgeMsMax = 3_600_000;
const openAgeMsMax = 24 * 3_600_000;

export const poolStatusRequestController: Controller = {
  name: 'resourcepoolstatusrequest-controller',
  featureGates: ['DRAResourcePoolStatus'],
  serviceAccount: 'resourcepoolstatusrequest-controller',
  start(context) {
    const { informers, clock, signal } = context;
    const requests = informers.informer<PoolStatusRequest>(poolStatusRequests);
    const slices = informers.informer<ResourceSlice>(resources.resourceSlices);
    const claims = informers.informer<ResourceClaim>(resources.resourceClaims);
    const client = context.client.resource<PoolStatusRequest>(poolStatusRequests);
    const reconciler = startReconciler(context, {
      queueName: 'resourcepoolstatusrequest',
      workers: 1,
      retriesMax,
      ready: () => Promise.all([requests.synced, slices.synced, claims.synced]),
      reconcile: async function syncPoolStatusRequest(name) {
        const request = requests.lister.get(name);
        if (request === undefined || request.status) return;
        const pools = poolTotals(request.spec, slices.lister.list(), claims.lister.list());
        const shown = pools.slice(0, request.spec.limit ?? poolsMaxDefault);
        if (shown.some(({ validationError }) => validationError))
          throw new Error('incomplete pools detected, requeueing');
        const condition = {
          type: 'Complete',
          status: 'True',
          lastTransitionTime: formatTime(clock.now()),
          reason: 'CalculationComplete',
          message: `Calculated status for ${shown.length} pools`,
        };
        const status = { poolCount: pools.length, pools: shown, conditions: [condition] };
        await client.updateStatus({ ...request, status } as PoolStatusRequest);
      },
    });
    const look = (request: PoolStatusRequest) => {
      if (!request.status) reconciler.addObject(request);
    };
    requests.addHandler(onWrite(look));
    const clean = async (): Promise<void> => {
      await requests.synced;
      while (!signal.aborted) {
        for (const request of requests.lister.list()) {
          const { name = '', uid = '' } = request.metadata;
          if (!isExpired(request, clock.now())) continue;
          await client.delete(name, { preconditions: { uid } }).catch((failure: unknown) => {
            if (!isStatusError(failure, 'NotFound')) context.onError(failure, name);
          });
        }
        await clock.sleep(cleaningPeriodMs, signal).catch(() => undefined);
      }
    };
    context.run(clean());
  },
};

/** Answered requests are kept for an hour, unanswered ones for a day. */
export function isExpired({ metadata, status }: PoolStatusRequest, nowMs: number): boolean {
  const isOlder = (time: string | null | undefined, ageMsMax: number) =>
    Boolean(time) && nowMs - epochMsOf(time!) > ageMsMax;
  if (!status) return isOlder(metadata.creationTimestamp, openAgeMsMax);
  const end = status.conditions?.find(({ type }) => type === 'Complete' || type === 'Failed');
  return isOlder(end === undefined ? metadata.creationTimestamp : end.lastTransitionTime, answeredAgeMsMax);
}
