import { always, int32, kind, ObjectMeta, optional, pointer, string, struct } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { ResourcePoolStatusRequestStatus } from './pool-status.ts';
import {
  validatePoolStatusRequest,
  validatePoolStatusRequestStatus,
} from '../pool-status-request-validation.ts';
import { poolStatusColumns } from './resource-pool-status-request-columns.ts';

export const ResourcePoolStatusRequestSpec = struct('resource/v1alpha3.ResourcePoolStatusRequestSpec', {
  driver: always(1, string, { required: true }),
  poolName: pointer(2, string),
  limit: pointer(3, int32, { default: 100, defaultPublished: true }),
});
export interface ResourcePoolStatusRequestSpec extends Static<typeof ResourcePoolStatusRequestSpec> {}

export const ResourcePoolStatusRequest = kind(
  'resource/v1alpha3.ResourcePoolStatusRequest',
  'resource.k8s.io/v1alpha3',
  { plural: 'resourcepoolstatusrequests', namespaced: false },
  {
    metadata: optional(1, ObjectMeta, { required: true, go: 'ObjectMeta' }),
    spec: always(2, ResourcePoolStatusRequestSpec, { required: true }),
    status: pointer(3, ResourcePoolStatusRequestStatus),
  },
  {
    validate: validatePoolStatusRequest,
    validateStatus: validatePoolStatusRequestStatus,
    columns: poolStatusColumns,
  },
);
export interface ResourcePoolStatusRequest extends Static<typeof ResourcePoolStatusRequest> {}
