import {
  always,
  int32,
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
import { priorityLevelColumns } from '../v1/priority-level-configuration-columns.ts';

export const ExemptPriorityLevelConfiguration = struct(
  'flowcontrol/v1beta3.ExemptPriorityLevelConfiguration',
  {
    nominalConcurrencyShares: pointer(1, int32, { default: 0 }),
    lendablePercent: pointer(2, int32, { default: 0 }),
  },
);
export interface ExemptPriorityLevelConfiguration extends Static<typeof ExemptPriorityLevelConfiguration> {}

export const QueuingConfiguration = struct('flowcontrol/v1beta3.QueuingConfiguration', {
  queues: always(1, int32, { default: 64 }),
  handSize: always(2, int32, { default: 8 }),
  queueLengthLimit: always(3, int32, { default: 50 }),
});
export interface QueuingConfiguration extends Static<typeof QueuingConfiguration> {}

export const LimitResponse = struct(
  'flowcontrol/v1beta3.LimitResponse',
  {
    type: always(1, named('v1beta3.LimitResponseType', string)),
    queuing: pointer(2, QueuingConfiguration),
  },
  { unions: [{ discriminator: 'type', fields: { queuing: 'Queuing' } }] },
);
export interface LimitResponse extends Static<typeof LimitResponse> {}

export const LimitedPriorityLevelConfiguration = struct(
  'flowcontrol/v1beta3.LimitedPriorityLevelConfiguration',
  {
    nominalConcurrencyShares: always(1, int32),
    limitResponse: optional(2, LimitResponse),
    lendablePercent: pointer(3, int32, { default: 0 }),
    borrowingLimitPercent: pointer(4, int32),
  },
);
export interface LimitedPriorityLevelConfiguration extends Static<typeof LimitedPriorityLevelConfiguration> {}

export const PriorityLevelConfigurationSpec = struct(
  'flowcontrol/v1beta3.PriorityLevelConfigurationSpec',
  {
    type: always(1, named('v1beta3.PriorityLevelEnablement', string)),
    limited: pointer(2, LimitedPriorityLevelConfiguration),
    exempt: pointer(3, ExemptPriorityLevelConfiguration),
  },
  { unions: [{ discriminator: 'type', fields: { exempt: 'Exempt', limited: 'Limited' } }] },
);
export interface PriorityLevelConfigurationSpec extends Static<typeof PriorityLevelConfigurationSpec> {}

export const PriorityLevelConfigurationCondition = struct(
  'flowcontrol/v1beta3.PriorityLevelConfigurationCondition',
  {
    type: optional(1, named('v1beta3.PriorityLevelConfigurationConditionType', string)),
    status: optional(2, named('v1beta3.ConditionStatus', string)),
    lastTransitionTime: optional(3, time),
    reason: optional(4, string),
    message: optional(5, string),
  },
);
export interface PriorityLevelConfigurationCondition extends Static<
  typeof PriorityLevelConfigurationCondition
> {}

export const PriorityLevelConfigurationStatus = struct(
  'flowcontrol/v1beta3.PriorityLevelConfigurationStatus',
  {
    conditions: optional(1, listMap(PriorityLevelConfigurationCondition, ['type']), {
      patch: 'merge',
      patchKey: 'type',
    }),
  },
);
export interface PriorityLevelConfigurationStatus extends Static<typeof PriorityLevelConfigurationStatus> {}

export const PriorityLevelConfiguration = kind(
  'flowcontrol/v1beta3.PriorityLevelConfiguration',
  'flowcontrol.apiserver.k8s.io/v1beta3',
  { plural: 'prioritylevelconfigurations', namespaced: false },
  {
    metadata: optional(1, ObjectMeta, { go: 'ObjectMeta' }),
    spec: optional(2, PriorityLevelConfigurationSpec),
    status: optional(3, PriorityLevelConfigurationStatus),
  },
  {
    defaults: [defaultShares],
    columns: priorityLevelColumns,
  },
);
export interface PriorityLevelConfiguration extends Static<typeof PriorityLevelConfiguration> {}

/** Zero shares are meant where the annotation says so: that is how v1 writes a zero in this version. */
function defaultShares(level: { metadata: ObjectMeta; spec: PriorityLevelConfigurationSpec }): void {
  const limited = level.spec.limited;
  if (limited == null || limited.nominalConcurrencyShares) return;
  if (level.metadata.annotations?.[zeroSharesAnnotation] === undefined) limited.nominalConcurrencyShares = 30;
}

const zeroSharesAnnotation = 'flowcontrol.k8s.io/v1beta3-preserve-zero-concurrency-shares';
