import * as t from '@coxswain/schema';
import { priorityLevelColumns } from './priority-level-configuration-columns.ts';
import { validatePriorityLevel } from '../priority-level-validation.ts';
import { validateFlowStatus } from '../flow-schema-validation.ts';
import {
  PriorityLevelConfigurationSpec,
  PriorityLevelConfigurationStatus,
} from './priority-level-configuration-spec.ts';

export * from './priority-level-configuration-spec.ts';

export const PriorityLevelConfiguration = t.kind(
  'flowcontrol/v1.PriorityLevelConfiguration',
  'flowcontrol.apiserver.k8s.io/v1',
  { plural: 'prioritylevelconfigurations', namespaced: false },
  {
    metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
    spec: t.optional(2, PriorityLevelConfigurationSpec),
    status: t.optional(3, PriorityLevelConfigurationStatus),
  },
  {
    validate: validatePriorityLevel,
    validateStatus: validateFlowStatus,
    columns: priorityLevelColumns,
  },
);
export interface PriorityLevelConfiguration extends t.Static<typeof PriorityLevelConfiguration> {}
