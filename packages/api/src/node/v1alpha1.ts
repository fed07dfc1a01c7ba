import * as t from '@coxswain/schema';
import { nameColumn, column, ageColumn } from '../meta/columns.ts';
import * as v1beta1 from './v1beta1.ts';

export const Overhead = t.structIn('node/v1alpha1', v1beta1.Overhead);
export interface Overhead extends t.Static<typeof Overhead> {}

export const Scheduling = t.structIn('node/v1alpha1', v1beta1.Scheduling);
export interface Scheduling extends t.Static<typeof Scheduling> {}

export const RuntimeClassSpec = t.struct('node/v1alpha1.RuntimeClassSpec', {
  runtimeHandler: t.always(1, t.string),
  overhead: t.pointer(2, Overhead),
  scheduling: t.pointer(3, Scheduling),
});
export interface RuntimeClassSpec extends t.Static<typeof RuntimeClassSpec> {}

export const RuntimeClass = t.kindIn(
  'node/v1alpha1',
  v1beta1.RuntimeClass,
  { fields: { spec: t.always(2, RuntimeClassSpec) }, without: ['handler', 'overhead', 'scheduling'] },
  { columns: [nameColumn, column('Handler', ({ spec }) => spec.runtimeHandler), ageColumn] },
);
export interface RuntimeClass extends t.Static<typeof RuntimeClass> {}
