import * as t from '@coxswain/schema';
import { NodeStatus } from './node-status.ts';
import { roundUpToMilli } from './resource-list.ts';
import { nodeColumns } from './node/node-columns.ts';
import { validateNode, validateNodeStatus } from './node/node-validation.ts';
import { nodeWarnings } from './node/node-warnings.ts';
import { NodeSpec } from './node-spec.ts';

export const Node = t.kind(
  'core/v1.Node',
  'v1',
  { plural: 'nodes', shortNames: ['no'], namespaced: false },
  {
    metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
    spec: t.optional(2, NodeSpec),
    status: t.optional(3, NodeStatus),
  },
  {
    defaults: [defaultNode],
    validate: validateNode,
    validateStatus: validateNodeStatus,
    warnings: nodeWarnings,
    columns: nodeColumns,
    selectableFields: { 'spec.unschedulable': ({ spec }) => String(spec?.unschedulable ?? false) },
    metadataSelectors: 'nameOnly',
  },
);
export interface Node extends t.Static<typeof Node> {}

/** If the single network differs from the first of the list, the single one wins, since old clients set it. */
function agreeOnCidrs(spec: NodeSpec | undefined): void {
  if (spec == null) return;
  if (spec.podCIDR && spec.podCIDR !== spec.podCIDRs?.[0]) spec.podCIDRs = [spec.podCIDR];
  const first = spec.podCIDRs?.[0];
  if (first) spec.podCIDR = first;
}

function defaultNode({ spec, status }: { spec: NodeSpec; status: NodeStatus }): void {
  agreeOnCidrs(spec);
  if (status == null) return;
  roundUpToMilli(status.capacity);
  if (status.capacity != null) status.allocatable ??= { ...status.capacity };
  roundUpToMilli(status.allocatable);
}
