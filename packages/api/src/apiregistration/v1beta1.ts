import * as t from '@coxswain/schema';
import * as v1 from './v1/index.ts';

export const APIServiceSpec = t.structIn('apiregistration/v1beta1', v1.APIServiceSpec, {
  fields: {
    caBundle: t.optional(5, t.bytes, { go: 'CABundle' }),
    groupPriorityMinimum: t.always(7, t.int32),
    versionPriority: t.always(8, t.int32),
  },
});
export interface APIServiceSpec extends t.Static<typeof APIServiceSpec> {}

export const APIServiceCondition = t.structIn('apiregistration/v1beta1', v1.APIServiceCondition, {
  fields: {
    type: t.always(1, t.named('v1beta1.APIServiceConditionType', t.string)),
    status: t.always(2, t.named('v1beta1.ConditionStatus', t.string)),
  },
});
export interface APIServiceCondition extends t.Static<typeof APIServiceCondition> {}

export const APIServiceStatus = t.struct('apiregistration/v1beta1.APIServiceStatus', {
  conditions: t.optional(1, t.listMap(APIServiceCondition, ['type']), { patch: 'merge', patchKey: 'type' }),
});
export interface APIServiceStatus extends t.Static<typeof APIServiceStatus> {}

export const APIService = t.kindIn('apiregistration/v1beta1', v1.APIService, {
  fields: { spec: t.optional(2, APIServiceSpec), status: t.optional(3, APIServiceStatus) },
  shared: ['columns'],
});
export interface APIService extends t.Static<typeof APIService> {}
