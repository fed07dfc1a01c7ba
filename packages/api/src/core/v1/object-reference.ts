import * as t from '@coxswain/schema';

export const ObjectReference = t.struct(
  'core/v1.ObjectReference',
  {
    kind: t.optional(1, t.string),
    namespace: t.optional(2, t.string),
    name: t.optional(3, t.string),
    uid: t.optional(4, t.named('types.UID', t.string), { go: 'UID' }),
    apiVersion: t.optional(5, t.string, { go: 'APIVersion' }),
    resourceVersion: t.optional(6, t.string),
    fieldPath: t.optional(7, t.string),
  },
  { atomic: true },
);
export interface ObjectReference extends t.Static<typeof ObjectReference> {}
