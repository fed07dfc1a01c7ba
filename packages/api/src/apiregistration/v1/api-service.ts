import {
  always,
  bool,
  bytes,
  int32,
  kind,
  listMap,
  ObjectMeta,
  optional,
  pointer,
  string,
  struct,
  time,
  named,
} from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { apiServiceColumns } from './api-service-columns.ts';
import { validateApiService, validateApiServiceStatus } from '../api-service-validation.ts';

export const ServiceReference = struct('apiregistration/v1.ServiceReference', {
  namespace: optional(1, string),
  name: optional(2, string),
  port: pointer(3, int32, { default: 443 }),
});
export interface ServiceReference extends Static<typeof ServiceReference> {}

export const APIServiceSpec = struct('apiregistration/v1.APIServiceSpec', {
  service: pointer(1, ServiceReference),
  group: optional(2, string),
  version: optional(3, string),
  insecureSkipTLSVerify: optional(4, bool),
  caBundle: optional(5, bytes, { go: 'CABundle', bytesListType: 'atomic' }),
  groupPriorityMinimum: always(7, int32, { required: true }),
  versionPriority: always(8, int32, { required: true }),
});
export interface APIServiceSpec extends Static<typeof APIServiceSpec> {}

export const APIServiceCondition = struct('apiregistration/v1.APIServiceCondition', {
  type: always(1, named('v1.APIServiceConditionType', string), { required: true }),
  status: always(2, named('v1.ConditionStatus', string), { required: true }),
  lastTransitionTime: optional(3, time),
  reason: optional(4, string),
  message: optional(5, string),
});
export interface APIServiceCondition extends Static<typeof APIServiceCondition> {}

export const APIServiceStatus = struct('apiregistration/v1.APIServiceStatus', {
  conditions: optional(1, listMap(APIServiceCondition, ['type']), { patch: 'merge', patchKey: 'type' }),
});
export interface APIServiceStatus extends Static<typeof APIServiceStatus> {}

export const APIService = kind(
  'apiregistration/v1.APIService',
  'apiregistration.k8s.io/v1',
  { plural: 'apiservices', categories: ['api-extensions'], namespaced: false },
  {
    metadata: optional(1, ObjectMeta, { go: 'ObjectMeta' }),
    spec: optional(2, APIServiceSpec),
    status: optional(3, APIServiceStatus),
  },
  {
    validate: validateApiService,
    validateStatus: validateApiServiceStatus,
    columns: apiServiceColumns,
  },
);
export interface APIService extends Static<typeof APIService> {}
