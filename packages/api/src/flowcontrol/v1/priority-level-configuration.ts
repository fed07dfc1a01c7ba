import { kind, ObjectMeta, optional } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { priorityLevelColumns } from './priority-level-configuration-columns.ts';
import { validatePriorityLevel } from '../priority-level-validation.ts';
import { validateFlowStatus } from '../flow-schema-validation.ts';
import {
  PriorityLevelConfigurationSpec,
  PriorityLevelConfigurationStatus,
} from './priority-level-configuration-spec.ts';

export * from './priority-level-configuration-spec.ts';

export const PriorityLevelConfiguration = kind(
  'flowcontrol/v1.PriorityLevelConfiguration',
  'flowcontrol.apiserver.k8s.io/v1',
  { plural: 'prioritylevelconfigurations', namespaced: false },
  {
    metadata: optional(1, ObjectMeta, { go: 'ObjectMeta' }),
    spec: optional(2, PriorityLevelConfigurationSpec),
    status: optional(3, PriorityLevelConfigurationStatus),
  },
  {
    validate: validatePriorityLevel,
    validateStatus: validateFlowStatus,
    columns: priorityLevelColumns,
  },
);
export interface PriorityLevelConfiguration extends Static<typeof PriorityLevelConfiguration> {}
