import * as t from '@coxswain/schema';

export const Subject = t.struct(
  'rbac/v1.Subject',
  {
    kind: t.always(1, t.string, { required: true }),
    apiGroup: t.optional(2, t.string, { go: 'APIGroup' }),
    name: t.always(3, t.string, { required: true }),
    namespace: t.optional(4, t.string),
  },
  { atomic: true },
);
export interface Subject extends t.Static<typeof Subject> {}
