import { atomicList, map, optional, string, struct } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { LabelSelectorRequirement } from './label-selector-requirement.ts';

export const LabelSelector = struct(
  'meta/v1.LabelSelector',
  {
    matchLabels: optional(1, map(string)),
    matchExpressions: optional(2, atomicList(LabelSelectorRequirement)),
  },
  { atomic: true },
);
export interface LabelSelector extends Static<typeof LabelSelector> {}
