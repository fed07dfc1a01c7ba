import {
  atomicList,
  bool,
  kind,
  listSet,
  ObjectMeta,
  optional,
  pointer,
  string,
  struct,
} from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { NodeConfigSource } from './node-config-source.ts';
import { NodeStatus } from './node-status.ts';
import { Taint } from './taint.ts';
import { roundUpToMilli } from './resource-list.ts';
import { nodeColumns } from './node-columns.ts';
import { validateNode, validateNodeStatus } from './node-validation.ts';
import { nodeWarnings } from './node-warnings.ts';

export const NodeSpec = struct('core/v1.NodeSpec', {
  podCIDR: optional(1, string),
  podCIDRs: optional(7, listSet(string), { patch: 'merge' }),
  providerID: optional(3, string),
  unschedulable: optional(4, bool),
  taints: optional(5, atomicList(Taint)),
  configSource: pointer(6, NodeConfigSource),
  externalID: optional(2, string, { go: 'DoNotUseExternalID' }),
});
export interface NodeSpec extends Static<typeof NodeSpec> {}

export const Node = kind(
  'core/v1.Node',
  'v1',
  { plural: 'nodes', shortNames: ['no'], namespaced: false },
  {
    metadata: optional(1, ObjectMeta, { go: 'ObjectMeta' }),
    spec: optional(2, NodeSpec),
    status: optional(3, NodeStatus),
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
export interface Node extends Static<typeof Node> {}

/** Where one network and the first of all differ, the one wins, which old clients set. */
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
