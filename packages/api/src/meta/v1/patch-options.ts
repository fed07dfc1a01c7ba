import * as t from '@coxswain/schema';

export const PatchOptions = t.kind('meta/v1.PatchOptions', 'meta.k8s.io/v1', undefined, {
  dryRun: t.optional(1, t.atomicList(t.string)),
  force: t.pointer(2, t.bool),
  fieldManager: t.optional(3, t.string),
  fieldValidation: t.optional(4, t.string),
});
export interface PatchOptions extends t.Static<typeof PatchOptions> {}
