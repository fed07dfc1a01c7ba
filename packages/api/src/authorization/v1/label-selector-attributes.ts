import * as t from '@coxswain/schema';
import { LabelSelectorRequirement } from '../../meta/v1/label-selector-requirement.ts';

export const LabelSelectorAttributes = t.struct('authorization/v1.LabelSelectorAttributes', {
  rawSelector: t.optional(1, t.string),
  requirements: t.optional(2, t.atomicList(LabelSelectorRequirement)),
});
export interface LabelSelectorAttributes extends t.Static<typeof LabelSelectorAttributes> {}
