import * as t from '@coxswain/schema';
import { ResourcePoolStatusRequestStatus } from './pool-status.ts';
import {
  validatePoolStatusRequest,
  validatePoolStatusRequestStatus,
} from '../pool-status-request-validation.ts';
import { poolStatusColumns } from './resource-pool-status-request-columns.ts';

export const ResourcePoolStatusRequestSpec = t.struct('resource/v1alpha3.ResourcePoolStatusRequestSpec', {
  driver: t.always(1, t.string, { required: true }),
  poolName: t.pointer(2, t.string),
  limit: t.pointer(3, t.int32, { default: 100, defaultPublished: true }),
});
export interface ResourcePoolStatusRequestSpec extends t.Static<typeof ResourcePoolStatusRequestSpec> {}

export const ResourcePoolStatusRequest = t.kind(
  'resource/v1alpha3.ResourcePoolStatusRequest',
  'resource.k8s.io/v1alpha3',
  { plural: 'resourcepoolstatusrequests', namespaced: false },
  {
    metadata: t.optional(1, t.ObjectMeta, { required: true, go: 'ObjectMeta' }),
    spec: t.always(2, ResourcePoolStatusRequestSpec, { required: true }),
    status: t.pointer(3, ResourcePoolStatusRequestStatus),
  },
  {
    validate: validatePoolStatusRequest,
    validateStatus: validatePoolStatusRequestStatus,
    columns: poolStatusColumns,
  },
);
export interface ResourcePoolStatusRequest extends t.Static<typeof ResourcePoolStatusRequest> {}
