import { always, atomicList, oneOf, optional, string, struct, named } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';

export const NodeSelectorRequirement = struct('core/v1.NodeSelectorRequirement', {
  key: always(1, string, { required: true }),
  operator: always(
    2,
    named('v1.NodeSelectorOperator', oneOf(['In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt'])),
    { required: true },
  ),
  values: optional(3, atomicList(string)),
});
export interface NodeSelectorRequirement extends Static<typeof NodeSelectorRequirement> {}

export const NodeSelectorTerm = struct(
  'core/v1.NodeSelectorTerm',
  {
    matchExpressions: optional(1, atomicList(NodeSelectorRequirement)),
    matchFields: optional(2, atomicList(NodeSelectorRequirement)),
  },
  { atomic: true },
);
export interface NodeSelectorTerm extends Static<typeof NodeSelectorTerm> {}

export const NodeSelector = struct(
  'core/v1.NodeSelector',
  {
    nodeSelectorTerms: always(1, atomicList(NodeSelectorTerm), { required: true }),
  },
  { atomic: true },
);
export interface NodeSelector extends Static<typeof NodeSelector> {}
