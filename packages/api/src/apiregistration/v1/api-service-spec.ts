import * as t from '@coxswain/schema';

export const ServiceReference = t.struct('apiregistration/v1.ServiceReference', {
  namespace: t.optional(1, t.string),
  name: t.optional(2, t.string),
  port: t.pointer(3, t.int32, { default: 443 }),
});
export interface ServiceReference extends t.Static<typeof ServiceReference> {}

export const APIServiceSpec = t.struct('apiregistration/v1.APIServiceSpec', {
  service: t.pointer(1, ServiceReference),
  group: t.optional(2, t.string),
  version: t.optional(3, t.string),
  insecureSkipTLSVerify: t.optional(4, t.bool),
  caBundle: t.optional(5, t.bytes, { go: 'CABundle', bytesListType: 'atomic' }),
  groupPriorityMinimum: t.always(7, t.int32, { required: true }),
  versionPriority: t.always(8, t.int32, { required: true }),
});
export interface APIServiceSpec extends t.Static<typeof APIServiceSpec> {}

export const APIServiceCondition = t.struct('apiregistration/v1.APIServiceCondition', {
  type: t.always(1, t.named('v1.APIServiceConditionType', t.string), { required: true }),
  status: t.always(2, t.named('v1.ConditionStatus', t.string), { required: true }),
  lastTransitionTime: t.optional(3, t.time),
  reason: t.optional(4, t.string),
  message: t.optional(5, t.string),
});
export interface APIServiceCondition extends t.Static<typeof APIServiceCondition> {}

export const APIServiceStatus = t.struct('apiregistration/v1.APIServiceStatus', {
  conditions: t.optional(1, t.listMap(APIServiceCondition, ['type']), { patch: 'merge', patchKey: 'type' }),
});
export interface APIServiceStatus extends t.Static<typeof APIServiceStatus> {}
