import { always, string, struct } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';

export const ShardInfo = struct('meta/v1.ShardInfo', {
  selector: always(1, string, { required: true }),
});
export interface ShardInfo extends Static<typeof ShardInfo> {}
