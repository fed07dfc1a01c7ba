import {
  always,
  atomicList,
  atomicMap,
  kind,
  map,
  ObjectMeta,
  optional,
  pointer,
  quantity,
  string,
  struct,
  named,
} from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { Toleration } from '../../core/v1/taint.ts';
import { nameColumn, column, ageColumn } from '../../meta/columns.ts';

export const Overhead = struct('node/v1alpha1.Overhead', {
  podFixed: optional(1, named('v1.ResourceList', map(quantity))),
});
export interface Overhead extends Static<typeof Overhead> {}

export const Scheduling = struct('node/v1alpha1.Scheduling', {
  nodeSelector: optional(1, atomicMap(string)),
  tolerations: optional(2, atomicList(Toleration)),
});
export interface Scheduling extends Static<typeof Scheduling> {}

export const RuntimeClassSpec = struct('node/v1alpha1.RuntimeClassSpec', {
  runtimeHandler: always(1, string),
  overhead: pointer(2, Overhead),
  scheduling: pointer(3, Scheduling),
});
export interface RuntimeClassSpec extends Static<typeof RuntimeClassSpec> {}

export const RuntimeClass = kind(
  'node/v1alpha1.RuntimeClass',
  'node.k8s.io/v1alpha1',
  { plural: 'runtimeclasses', namespaced: false },
  {
    metadata: optional(1, ObjectMeta, { go: 'ObjectMeta' }),
    spec: always(2, RuntimeClassSpec),
  },
  {
    columns: [nameColumn, column('Handler', ({ spec }) => spec.runtimeHandler), ageColumn],
  },
);
export interface RuntimeClass extends Static<typeof RuntimeClass> {}
