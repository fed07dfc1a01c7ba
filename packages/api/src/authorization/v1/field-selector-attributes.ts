import { atomicList, optional, string, struct } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { FieldSelectorRequirement } from '../../meta/v1/field-selector-requirement.ts';

export const FieldSelectorAttributes = struct('authorization/v1.FieldSelectorAttributes', {
  rawSelector: optional(1, string),
  requirements: optional(2, atomicList(FieldSelectorRequirement)),
});
export interface FieldSelectorAttributes extends Static<typeof FieldSelectorAttributes> {}
