import { always, optional, string, struct } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';

export const Subject = struct(
  'rbac/v1.Subject',
  {
    kind: always(1, string, { required: true }),
    apiGroup: optional(2, string, { go: 'APIGroup' }),
    name: always(3, string, { required: true }),
    namespace: optional(4, string),
  },
  { atomic: true },
);
export interface Subject extends Static<typeof Subject> {}
