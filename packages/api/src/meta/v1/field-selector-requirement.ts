import * as t from '@coxswain/schema';

export const FieldSelectorRequirement = t.struct('meta/v1.FieldSelectorRequirement', {
  key: t.always(1, t.string, { required: true }),
  operator: t.always(2, t.named('v1.FieldSelectorOperator', t.string), { required: true }),
  values: t.optional(3, t.atomicList(t.string)),
});
export interface FieldSelectorRequirement extends t.Static<typeof FieldSelectorRequirement> {}
