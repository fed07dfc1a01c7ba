import * as t from '@coxswain/schema';
import { FieldSelectorRequirement } from '../../meta/v1/field-selector-requirement.ts';

export const FieldSelectorAttributes = t.struct('authorization/v1.FieldSelectorAttributes', {
  rawSelector: t.optional(1, t.string),
  requirements: t.optional(2, t.atomicList(FieldSelectorRequirement)),
});
export interface FieldSelectorAttributes extends t.Static<typeof FieldSelectorAttributes> {}
