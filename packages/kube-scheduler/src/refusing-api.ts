/** An API for read-only use: all writes are refused. */
import type { SchedulerApi } from './framework/scheduler-api.ts';

const refuse = (): Promise<never> => Promise.reject(new Error('this client is read-only'));

export const refusingApi: SchedulerApi = {
  bind: refuse,
  patchPodStatus: refuse,
  deletePod: refuse,
  selectNodeForClaim: refuse,
  bindVolume: refuse,
  claimBound: refuse,
  resourceClaim: refuse,
  createResourceClaim: refuse,
  deleteResourceClaim: refuse,
  updateResourceClaim: refuse,
  updateResourceClaimStatus: refuse,
  unreserveResourceClaim: refuse,
  event() {},
};
