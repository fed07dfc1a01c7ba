import { always, atomicList, optional, string, struct, named } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';

export const FieldSelectorRequirement = struct('meta/v1.FieldSelectorRequirement', {
  key: always(1, string, { required: true }),
  operator: always(2, named('v1.FieldSelectorOperator', string), { required: true }),
  values: optional(3, atomicList(string)),
});
export interface FieldSelectorRequirement extends Static<typeof FieldSelectorRequirement> {}
