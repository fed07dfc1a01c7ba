import * as t from '@coxswain/schema';

export const RollbackConfig = t.struct('extensions/v1beta1.RollbackConfig', {
  revision: t.optional(1, t.int64),
});
export interface RollbackConfig extends t.Static<typeof RollbackConfig> {}
