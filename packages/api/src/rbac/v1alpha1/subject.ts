import * as t from '@coxswain/schema';

export const Subject = t.struct('rbac/v1alpha1.Subject', {
  kind: t.always(1, t.string),
  apiVersion: t.optional(2, t.string, { go: 'APIVersion' }),
  name: t.always(3, t.string),
  namespace: t.optional(4, t.string),
});
export interface Subject extends t.Static<typeof Subject> {}
