import { always, rawExtension, string, struct } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';

export const WatchEvent = struct('meta/v1.WatchEvent', {
  type: always(1, string, { required: true }),
  object: always(2, rawExtension, { required: true }),
});
export interface WatchEvent extends Static<typeof WatchEvent> {}
