import * as t from '@coxswain/schema';
import { RollbackConfig } from './rollback-config.ts';

export const DeploymentRollback = t.kind('apps/v1beta1.DeploymentRollback', 'apps/v1beta1', undefined, {
  name: t.always(1, t.string),
  updatedAnnotations: t.optional(2, t.map(t.string)),
  rollbackTo: t.always(3, RollbackConfig),
});
export interface DeploymentRollback extends t.Static<typeof DeploymentRollback> {}
