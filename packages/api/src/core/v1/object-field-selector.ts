import * as t from '@coxswain/schema';

export const ObjectFieldSelector = t.struct(
  'core/v1.ObjectFieldSelector',
  {
    apiVersion: t.optional(1, t.string, { default: 'v1', go: 'APIVersion' }),
    fieldPath: t.always(2, t.string, { required: true }),
  },
  { atomic: true },
);
export interface ObjectFieldSelector extends t.Static<typeof ObjectFieldSelector> {}
