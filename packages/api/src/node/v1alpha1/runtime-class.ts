import * as t from '@coxswain/schema';
import { Toleration } from '../../core/v1/taint.ts';
import { nameColumn, column, ageColumn } from '../../meta/columns.ts';

export const Overhead = t.struct('node/v1alpha1.Overhead', {
  podFixed: t.optional(1, t.named('v1.ResourceList', t.map(t.quantity))),
});
export interface Overhead extends t.Static<typeof Overhead> {}

export const Scheduling = t.struct('node/v1alpha1.Scheduling', {
  nodeSelector: t.optional(1, t.atomicMap(t.string)),
  tolerations: t.optional(2, t.atomicList(Toleration)),
});
export interface Scheduling extends t.Static<typeof Scheduling> {}

export const RuntimeClassSpec = t.struct('node/v1alpha1.RuntimeClassSpec', {
  runtimeHandler: t.always(1, t.string),
  overhead: t.pointer(2, Overhead),
  scheduling: t.pointer(3, Scheduling),
});
export interface RuntimeClassSpec extends t.Static<typeof RuntimeClassSpec> {}

export const RuntimeClass = t.kind(
  'node/v1alpha1.RuntimeClass',
  'node.k8s.io/v1alpha1',
  { plural: 'runtimeclasses', namespaced: false },
  {
    metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
    spec: t.always(2, RuntimeClassSpec),
  },
  {
    columns: [nameColumn, column('Handler', ({ spec }) => spec.runtimeHandler), ageColumn],
  },
);
export interface RuntimeClass extends t.Static<typeof RuntimeClass> {}
