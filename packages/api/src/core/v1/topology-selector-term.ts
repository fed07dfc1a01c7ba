import * as t from '@coxswain/schema';

export const TopologySelectorLabelRequirement = t.struct('core/v1.TopologySelectorLabelRequirement', {
  key: t.always(1, t.string, { required: true }),
  values: t.always(2, t.atomicList(t.string), { required: true }),
});
export interface TopologySelectorLabelRequirement extends t.Static<typeof TopologySelectorLabelRequirement> {}

export const TopologySelectorTerm = t.struct(
  'core/v1.TopologySelectorTerm',
  {
    matchLabelExpressions: t.optional(1, t.atomicList(TopologySelectorLabelRequirement)),
  },
  { atomic: true },
);
export interface TopologySelectorTerm extends t.Static<typeof TopologySelectorTerm> {}
