import { always, atomicList, optional, string, struct } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';

export const TopologySelectorLabelRequirement = struct('core/v1.TopologySelectorLabelRequirement', {
  key: always(1, string, { required: true }),
  values: always(2, atomicList(string), { required: true }),
});
export interface TopologySelectorLabelRequirement extends Static<typeof TopologySelectorLabelRequirement> {}

export const TopologySelectorTerm = struct(
  'core/v1.TopologySelectorTerm',
  {
    matchLabelExpressions: optional(1, atomicList(TopologySelectorLabelRequirement)),
  },
  { atomic: true },
);
export interface TopologySelectorTerm extends Static<typeof TopologySelectorTerm> {}
