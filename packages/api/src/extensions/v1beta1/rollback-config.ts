import * as t from '@coxswain/schema';
import * as v1beta1 from '../../apps/v1beta1/rollback-config.ts';

export const RollbackConfig = t.structIn('extensions/v1beta1', v1beta1.RollbackConfig);
export interface RollbackConfig extends t.Static<typeof RollbackConfig> {}
