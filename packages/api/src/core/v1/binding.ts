import * as t from '@coxswain/schema';
import { ObjectReference } from './object-reference.ts';

export const Binding = t.kind(
  'core/v1.Binding',
  'v1',
  { plural: 'bindings', namespaced: true },
  {
    metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
    target: t.always(2, ObjectReference, { required: true }),
  },
);
export interface Binding extends t.Static<typeof Binding> {}
