import * as t from '@coxswain/schema';

export const NodeSelectorRequirement = t.struct('core/v1.NodeSelectorRequirement', {
  key: t.always(1, t.string, { required: true }),
  operator: t.always(
    2,
    t.named('v1.NodeSelectorOperator', t.oneOf(['In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt'])),
    { required: true },
  ),
  values: t.optional(3, t.atomicList(t.string)),
});
export interface NodeSelectorRequirement extends t.Static<typeof NodeSelectorRequirement> {}

export const NodeSelectorTerm = t.struct(
  'core/v1.NodeSelectorTerm',
  {
    matchExpressions: t.optional(1, t.atomicList(NodeSelectorRequirement)),
    matchFields: t.optional(2, t.atomicList(NodeSelectorRequirement)),
  },
  { atomic: true },
);
export interface NodeSelectorTerm extends t.Static<typeof NodeSelectorTerm> {}

export const NodeSelector = t.struct(
  'core/v1.NodeSelector',
  {
    nodeSelectorTerms: t.always(1, t.atomicList(NodeSelectorTerm), { required: true }),
  },
  { atomic: true },
);
export interface NodeSelector extends t.Static<typeof NodeSelector> {}
