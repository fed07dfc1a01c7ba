import { always, int32, int64, struct } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';

export const Timestamp = struct('meta/v1.Timestamp', {
  seconds: always(1, int64),
  nanos: always(2, int32),
});
export interface Timestamp extends Static<typeof Timestamp> {}
