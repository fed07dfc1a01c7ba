import * as t from '@coxswain/schema';

export const ShardInfo = t.struct('meta/v1.ShardInfo', {
  selector: t.always(1, t.string, { required: true }),
});
export interface ShardInfo extends t.Static<typeof ShardInfo> {}
