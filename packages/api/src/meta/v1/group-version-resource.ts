import { always, string, struct } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';

export const GroupVersionResource = struct('meta/v1.GroupVersionResource', {
  group: always(1, string),
  version: always(2, string),
  resource: always(3, string),
});
export interface GroupVersionResource extends Static<typeof GroupVersionResource> {}
