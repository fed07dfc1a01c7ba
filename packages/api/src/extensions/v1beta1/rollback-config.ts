import { int64, optional, struct } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';

export const RollbackConfig = struct('extensions/v1beta1.RollbackConfig', {
  revision: optional(1, int64),
});
export interface RollbackConfig extends Static<typeof RollbackConfig> {}
