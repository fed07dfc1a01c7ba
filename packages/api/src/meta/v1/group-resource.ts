import { always, string, struct } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';

export const GroupResource = struct('meta/v1.GroupResource', {
  group: always(1, string, { required: true }),
  resource: always(2, string, { required: true }),
});
export interface GroupResource extends Static<typeof GroupResource> {}
