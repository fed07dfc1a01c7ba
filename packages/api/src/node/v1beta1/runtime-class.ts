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

export const Overhead = struct('node/v1beta1.Overhead', {
  podFixed: optional(1, named('v1.ResourceList', map(quantity))),
});
export interface Overhead extends Static<typeof Overhead> {}

export const Scheduling = struct('node/v1beta1.Scheduling', {
  nodeSelector: optional(1, atomicMap(string)),
  tolerations: optional(2, atomicList(Toleration)),
});
export interface Scheduling extends Static<typeof Scheduling> {}

export const RuntimeClass = kind(
  'node/v1beta1.RuntimeClass',
  'node.k8s.io/v1beta1',
  { plural: 'runtimeclasses', namespaced: false },
  {
    metadata: optional(1, ObjectMeta, { go: 'ObjectMeta' }),
    handler: always(2, string),
    overhead: pointer(3, Overhead),
    scheduling: pointer(4, Scheduling),
  },
  {
    columns: [nameColumn, column('Handler', ({ handler }) => handler), ageColumn],
  },
);
export interface RuntimeClass extends Static<typeof RuntimeClass> {}
