import { labelSelectorFromSpec } from '@coxswain/apimachinery';
import * as t from '@coxswain/schema';
import { ageColumn, column, containerColumns, nameColumn, wideColumn } from '../../meta/columns.ts';
import { defaultDeploymentStrategy, defaultTemplate } from '../workload-defaults.ts';
import { defaultRollback } from '../rollback-annotation.ts';
import { validateDeployment, validateDeploymentStatus } from '../deployment-validation.ts';
import { workloadWarnings } from '../../core/v1/workload-warnings.ts';
import { DeploymentSpec, DeploymentStatus } from './deployment-spec.ts';

export const Deployment = t.kind(
  'apps/v1.Deployment',
  'apps/v1',
  { plural: 'deployments', shortNames: ['deploy'], categories: ['all'], namespaced: true },
  {
    metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
    spec: t.optional(2, DeploymentSpec),
    status: t.optional(3, DeploymentStatus),
  },
  {
    defaults: [defaultDeploymentStrategy('25%'), defaultTemplate, defaultRollback],
    validate: validateDeployment,
    validateStatus: validateDeploymentStatus,
    warnings: workloadWarnings,
    columns: [
      nameColumn,
      column('Ready', ({ spec, status }) => `${status?.readyReplicas ?? 0}/${spec.replicas ?? 0}`),
      column('Up-to-date', ({ status }) => status?.updatedReplicas ?? 0),
      column('Available', ({ status }) => status?.availableReplicas ?? 0),
      ageColumn,
      ...containerColumns(({ spec }: { spec: DeploymentSpec }) => spec.template?.spec?.containers),
      wideColumn('Selector', ({ spec }) => plainSelector(spec.selector)),
    ],
  },
);
export interface Deployment extends t.Static<typeof Deployment> {}

/** An empty selector is shown as empty. */
function plainSelector(selector: DeploymentSpec['selector']): string {
  try {
    return labelSelectorFromSpec(selector).toString();
  } catch {
    return '<invalid>';
  }
}
