import { always, string, struct } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';

export const GroupVersionKind = struct('meta/v1.GroupVersionKind', {
  group: always(1, string),
  version: always(2, string),
  kind: always(3, string),
});
export interface GroupVersionKind extends Static<typeof GroupVersionKind> {}
