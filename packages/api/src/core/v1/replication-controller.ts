import {
  always,
  atomicMap,
  int32,
  int64,
  kind,
  listMap,
  ObjectMeta,
  optional,
  pointer,
  string,
  struct,
  time,
  named,
} from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { PodTemplateSpec } from './pod-template-spec.ts';
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
import { controllerWarnings } from '../../apps/workload-warnings.ts';

export const ReplicationControllerSpec = struct('core/v1.ReplicationControllerSpec', {
  replicas: pointer(1, int32, { default: 1, defaultPublished: true }),
  minReadySeconds: optional(4, int32, { default: 0, defaultPublished: true }),
  selector: optional(2, atomicMap(string)),
  template: pointer(3, PodTemplateSpec),
});
export interface ReplicationControllerSpec extends Static<typeof ReplicationControllerSpec> {}

export const ReplicationControllerCondition = struct('core/v1.ReplicationControllerCondition', {
  type: always(1, named('v1.ReplicationControllerConditionType', string), { required: true }),
  status: always(2, named('v1.ConditionStatus', string), { required: true }),
  lastTransitionTime: optional(3, time),
  reason: optional(4, string),
  message: optional(5, string),
});
export interface ReplicationControllerCondition extends Static<typeof ReplicationControllerCondition> {}

export const ReplicationControllerStatus = struct('core/v1.ReplicationControllerStatus', {
  replicas: always(1, int32, { required: true }),
  fullyLabeledReplicas: optional(2, int32),
  readyReplicas: optional(4, int32),
  availableReplicas: optional(5, int32),
  observedGeneration: optional(3, int64),
  conditions: optional(6, listMap(ReplicationControllerCondition, ['type']), {
    patch: 'merge',
    patchKey: 'type',
  }),
});
export interface ReplicationControllerStatus extends Static<typeof ReplicationControllerStatus> {}

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

export const ReplicationController = kind(
  'core/v1.ReplicationController',
  'v1',
  { plural: 'replicationcontrollers', shortNames: ['rc'], categories: ['all'], namespaced: true },
  {
    metadata: optional(1, ObjectMeta, { go: 'ObjectMeta' }),
    spec: optional(2, ReplicationControllerSpec),
    status: optional(3, ReplicationControllerStatus),
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
export interface ReplicationController extends Static<typeof ReplicationController> {}
