import { atomicList, kind, optional, string } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';

export const CreateOptions = kind('meta/v1.CreateOptions', 'meta.k8s.io/v1', undefined, {
  dryRun: optional(1, atomicList(string)),
  fieldManager: optional(3, string),
  fieldValidation: optional(4, string),
});
export interface CreateOptions extends Static<typeof CreateOptions> {}
