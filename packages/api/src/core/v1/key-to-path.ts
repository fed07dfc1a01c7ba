import { always, int32, pointer, string, struct } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';

export const KeyToPath = struct('core/v1.KeyToPath', {
  key: always(1, string, { required: true }),
  path: always(2, string, { required: true }),
  mode: pointer(3, int32),
});
export interface KeyToPath extends Static<typeof KeyToPath> {}
