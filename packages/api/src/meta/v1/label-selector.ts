import * as t from '@coxswain/schema';
import { LabelSelectorRequirement } from './label-selector-requirement.ts';

export const LabelSelector = t.struct(
  'meta/v1.LabelSelector',
  {
    matchLabels: t.optional(1, t.map(t.string)),
    matchExpressions: t.optional(2, t.atomicList(LabelSelectorRequirement)),
  },
  { atomic: true },
);
export interface LabelSelector extends t.Static<typeof LabelSelector> {}
