import { always, string, struct } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';

export const GroupVersion = struct('meta/v1.GroupVersion', {
  group: always(1, string),
  version: always(2, string),
});
export interface GroupVersion extends Static<typeof GroupVersion> {}
