import { always, atomicList, optional, string, struct, named } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';

export const LabelSelectorRequirement = struct('meta/v1.LabelSelectorRequirement', {
  key: always(1, string, { required: true }),
  operator: always(2, named('v1.LabelSelectorOperator', string), { required: true }),
  values: optional(3, atomicList(string)),
});
export interface LabelSelectorRequirement extends Static<typeof LabelSelectorRequirement> {}
