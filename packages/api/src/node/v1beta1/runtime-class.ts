import * as t from '@coxswain/schema';
import { Toleration } from '../../core/v1/taint.ts';
import { nameColumn, column, ageColumn } from '../../meta/columns.ts';

export const Overhead = t.struct('node/v1beta1.Overhead', {
  podFixed: t.optional(1, t.named('v1.ResourceList', t.map(t.quantity))),
});
export interface Overhead extends t.Static<typeof Overhead> {}

export const Scheduling = t.struct('node/v1beta1.Scheduling', {
  nodeSelector: t.optional(1, t.atomicMap(t.string)),
  tolerations: t.optional(2, t.atomicList(Toleration)),
});
export interface Scheduling extends t.Static<typeof Scheduling> {}

export const RuntimeClass = t.kind(
  'node/v1beta1.RuntimeClass',
  'node.k8s.io/v1beta1',
  { plural: 'runtimeclasses', namespaced: false },
  {
    metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
    handler: t.always(2, t.string),
    overhead: t.pointer(3, Overhead),
    scheduling: t.pointer(4, Scheduling),
  },
  {
    columns: [nameColumn, column('Handler', ({ handler }) => handler), ageColumn],
  },
);
export interface RuntimeClass extends t.Static<typeof RuntimeClass> {}
