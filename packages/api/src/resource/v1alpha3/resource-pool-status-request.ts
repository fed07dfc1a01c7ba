import * as t from '@coxswain/schema';
import { ResourcePoolStatusRequestStatus } from './pool-status.ts';
import {
  validatePoolStatusRequest,
  validatePoolStatusRequestStatus,
} from '../pool-status-request-validation.ts';
import { poolStatusColumns } from './resource-pool-status-request-columns.ts';
import { ResourcePoolStatusRequestSpec } from './resource-pool-status-request-spec.ts';

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
