import * as t from '@coxswain/schema';

export const TypedLocalObjectReference = t.struct(
  'core/v1.TypedLocalObjectReference',
  {
    apiGroup: t.nullable(1, t.string, { go: 'APIGroup' }),
    kind: t.always(2, t.string, { required: true }),
    name: t.always(3, t.string, { required: true }),
  },
  { atomic: true },
);
export interface TypedLocalObjectReference extends t.Static<typeof TypedLocalObjectReference> {}
