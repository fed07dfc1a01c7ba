import { always, string, struct } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';

export const GroupKind = struct('meta/v1.GroupKind', {
  group: always(1, string),
  kind: always(2, string),
});
export interface GroupKind extends Static<typeof GroupKind> {}
