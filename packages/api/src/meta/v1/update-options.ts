import { atomicList, kind, optional, string } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';

export const UpdateOptions = kind('meta/v1.UpdateOptions', 'meta.k8s.io/v1', undefined, {
  dryRun: optional(1, atomicList(string)),
  fieldManager: optional(2, string),
  fieldValidation: optional(3, string),
});
export interface UpdateOptions extends Static<typeof UpdateOptions> {}
