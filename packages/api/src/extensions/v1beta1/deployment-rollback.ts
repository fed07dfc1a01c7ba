import * as t from '@coxswain/schema';
import * as v1beta1 from '../../apps/v1beta1/deployment-rollback.ts';

export const DeploymentRollback = t.kindIn('extensions/v1beta1', v1beta1.DeploymentRollback);
export interface DeploymentRollback extends t.Static<typeof DeploymentRollback> {}
