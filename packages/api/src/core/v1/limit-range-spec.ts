import * as t from '@coxswain/schema';

export const LimitRangeItem = t.struct('core/v1.LimitRangeItem', {
  type: t.always(1, t.named('v1.LimitType', t.string), { required: true }),
  max: t.optional(2, t.named('v1.ResourceList', t.map(t.quantity))),
  min: t.optional(3, t.named('v1.ResourceList', t.map(t.quantity))),
  default: t.optional(4, t.named('v1.ResourceList', t.map(t.quantity))),
  defaultRequest: t.optional(5, t.named('v1.ResourceList', t.map(t.quantity))),
  maxLimitRequestRatio: t.optional(6, t.named('v1.ResourceList', t.map(t.quantity))),
});
export interface LimitRangeItem extends t.Static<typeof LimitRangeItem> {}

export const LimitRangeSpec = t.struct('core/v1.LimitRangeSpec', {
  limits: t.always(1, t.atomicList(LimitRangeItem), { required: true }),
});
export interface LimitRangeSpec extends t.Static<typeof LimitRangeSpec> {}
