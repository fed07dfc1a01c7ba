import * as t from '@coxswain/schema';
import { defaultReplicationController } from './replication-controller-defaults.ts';
import {
  nameColumn,
  containerColumns,
  column,
  wideColumn,
  formatLabels,
  ageColumn,
} from '../../meta/columns.ts';
import {
  validateControllerStatus,
  validateReplicationController,
} from './replication-controller-validation.ts';
import { controllerWarnings } from './workload-warnings.ts';
import { ReplicationControllerSpec, ReplicationControllerStatus } from './replication-controller-spec.ts';

interface ControllerParts {
  spec: ReplicationControllerSpec;
  status: ReplicationControllerStatus;
}

const controllerColumns = [
  nameColumn,
  column('Desired', ({ spec }: ControllerParts) => spec.replicas ?? 0, 'integer'),
  column('Current', ({ status }: ControllerParts) => status?.replicas ?? 0, 'integer'),
  column('Ready', ({ status }: ControllerParts) => status?.readyReplicas ?? 0, 'integer'),
  ageColumn,
  ...containerColumns(({ spec }: ControllerParts) => spec.template?.spec?.containers),
  wideColumn('Selector', ({ spec }: ControllerParts) => formatLabels(spec.selector)),
];

export const ReplicationController = t.kind(
  'core/v1.ReplicationController',
  'v1',
  { plural: 'replicationcontrollers', shortNames: ['rc'], categories: ['all'], namespaced: true },
  {
    metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
    spec: t.optional(2, ReplicationControllerSpec),
    status: t.optional(3, ReplicationControllerStatus),
  },
  {
    defaults: [defaultReplicationController],
    validate: validateReplicationController,
    validateStatus: validateControllerStatus,
    warnings: controllerWarnings,
    columns: controllerColumns,
    selectableFields: { 'status.replicas': ({ status }) => String(status?.replicas ?? 0) },
    metadataSelectors: 'listed',
  },
);
export interface ReplicationController extends t.Static<typeof ReplicationController> {}
