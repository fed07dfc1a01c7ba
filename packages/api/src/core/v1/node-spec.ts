import * as t from '@coxswain/schema';
import { NodeConfigSource } from './node-config-source.ts';
import { Taint } from './taint.ts';

export const NodeSpec = t.struct('core/v1.NodeSpec', {
  podCIDR: t.optional(1, t.string),
  podCIDRs: t.optional(7, t.listSet(t.string), { patch: 'merge' }),
  providerID: t.optional(3, t.string),
  unschedulable: t.optional(4, t.bool),
  taints: t.optional(5, t.atomicList(Taint)),
  configSource: t.pointer(6, NodeConfigSource),
  externalID: t.optional(2, t.string, { go: 'DoNotUseExternalID' }),
});
export interface NodeSpec extends t.Static<typeof NodeSpec> {}
