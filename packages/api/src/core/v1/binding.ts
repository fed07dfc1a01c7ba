import { always, kind, ObjectMeta, optional } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { ObjectReference } from './object-reference.ts';

export const Binding = kind(
  'core/v1.Binding',
  'v1',
  { plural: 'bindings', namespaced: true },
  {
    metadata: optional(1, ObjectMeta, { go: 'ObjectMeta' }),
    target: always(2, ObjectReference, { required: true }),
  },
);
export interface Binding extends Static<typeof Binding> {}
