import * as t from '@coxswain/schema';

export const CreateOptions = t.kind('meta/v1.CreateOptions', 'meta.k8s.io/v1', undefined, {
  dryRun: t.optional(1, t.atomicList(t.string)),
  fieldManager: t.optional(3, t.string),
  fieldValidation: t.optional(4, t.string),
});
export interface CreateOptions extends t.Static<typeof CreateOptions> {}
