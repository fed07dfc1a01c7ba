import * as t from '@coxswain/schema';

export const UpdateOptions = t.kind('meta/v1.UpdateOptions', 'meta.k8s.io/v1', undefined, {
  dryRun: t.optional(1, t.atomicList(t.string)),
  fieldManager: t.optional(2, t.string),
  fieldValidation: t.optional(3, t.string),
});
export interface UpdateOptions extends t.Static<typeof UpdateOptions> {}
