import { atomicList, bool, kind, optional, pointer, string } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';

export const PatchOptions = kind('meta/v1.PatchOptions', 'meta.k8s.io/v1', undefined, {
  dryRun: optional(1, atomicList(string)),
  force: pointer(2, bool),
  fieldManager: optional(3, string),
  fieldValidation: optional(4, string),
});
export interface PatchOptions extends Static<typeof PatchOptions> {}
