import { optional, string, struct, named } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';

export const ObjectReference = struct(
  'core/v1.ObjectReference',
  {
    kind: optional(1, string),
    namespace: optional(2, string),
    name: optional(3, string),
    uid: optional(4, named('types.UID', string), { go: 'UID' }),
    apiVersion: optional(5, string, { go: 'APIVersion' }),
    resourceVersion: optional(6, string),
    fieldPath: optional(7, string),
  },
  { atomic: true },
);
export interface ObjectReference extends Static<typeof ObjectReference> {}
