import { atomicList, optional, string, struct } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { LabelSelectorRequirement } from '../../meta/v1/label-selector-requirement.ts';

export const LabelSelectorAttributes = struct('authorization/v1.LabelSelectorAttributes', {
  rawSelector: optional(1, string),
  requirements: optional(2, atomicList(LabelSelectorRequirement)),
});
export interface LabelSelectorAttributes extends Static<typeof LabelSelectorAttributes> {}
