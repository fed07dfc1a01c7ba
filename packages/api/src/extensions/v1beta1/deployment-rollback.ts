import { always, kind, map, optional, string } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { RollbackConfig } from './rollback-config.ts';

export const DeploymentRollback = kind(
  'extensions/v1beta1.DeploymentRollback',
  'extensions/v1beta1',
  undefined,
  {
    name: always(1, string),
    updatedAnnotations: optional(2, map(string)),
    rollbackTo: always(3, RollbackConfig),
  },
);
export interface DeploymentRollback extends Static<typeof DeploymentRollback> {}
