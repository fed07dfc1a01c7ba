import * as t from '@coxswain/schema';
import { nameColumn, column, ageColumn } from '../meta/columns.ts';
import * as v1 from './v1/runtime-class.ts';

export const Overhead = t.struct('node/v1beta1.Overhead', {
  podFixed: t.optional(1, t.named('v1.ResourceList', t.map(t.quantity))),
});
export interface Overhead extends t.Static<typeof Overhead> {}

export const Scheduling = t.structIn('node/v1beta1', v1.Scheduling);
export interface Scheduling extends t.Static<typeof Scheduling> {}

export const RuntimeClass = t.kindIn(
  'node/v1beta1',
  v1.RuntimeClass,
  { fields: { handler: t.always(2, t.string), overhead: t.pointer(3, Overhead) } },
  { columns: [nameColumn, column('Handler', ({ handler }) => handler), ageColumn] },
);
export interface RuntimeClass extends t.Static<typeof RuntimeClass> {}
