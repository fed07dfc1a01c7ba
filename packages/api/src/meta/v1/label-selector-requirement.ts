import * as t from '@coxswain/schema';

export const LabelSelectorRequirement = t.struct('meta/v1.LabelSelectorRequirement', {
  key: t.always(1, t.string, { required: true }),
  operator: t.always(2, t.named('v1.LabelSelectorOperator', t.string), { required: true }),
  values: t.optional(3, t.atomicList(t.string)),
});
export interface LabelSelectorRequirement extends t.Static<typeof LabelSelectorRequirement> {}
