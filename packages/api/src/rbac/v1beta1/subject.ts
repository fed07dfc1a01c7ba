import { always, optional, string, struct } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';

export const Subject = struct('rbac/v1beta1.Subject', {
  kind: always(1, string),
  apiGroup: optional(2, string, { go: 'APIGroup' }),
  name: always(3, string),
  namespace: optional(4, string),
});
export interface Subject extends Static<typeof Subject> {}
