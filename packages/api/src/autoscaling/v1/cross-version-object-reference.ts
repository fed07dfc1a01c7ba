import * as t from '@coxswain/schema';

export const CrossVersionObjectReference = t.struct(
  'autoscaling/v1.CrossVersionObjectReference',
  {
    kind: t.always(1, t.string, { required: true }),
    name: t.always(2, t.string, { required: true }),
    apiVersion: t.optional(3, t.string, { go: 'APIVersion' }),
  },
  { atomic: true },
);
export interface CrossVersionObjectReference extends t.Static<typeof CrossVersionObjectReference> {}
