import * as t from '@coxswain/schema';

export const LocalObjectReference = t.struct(
  'core/v1.LocalObjectReference',
  {
    name: t.optional(1, t.string, { default: '', defaultPublished: true }),
  },
  { atomic: true },
);
export interface LocalObjectReference extends t.Static<typeof LocalObjectReference> {}
