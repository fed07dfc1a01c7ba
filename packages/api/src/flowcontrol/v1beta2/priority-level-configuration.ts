import * as t from '@coxswain/schema';
import { priorityLevelColumns } from '../v1/priority-level-configuration-columns.ts';

export const ExemptPriorityLevelConfiguration = t.struct(
  'flowcontrol/v1beta2.ExemptPriorityLevelConfiguration',
  {
    nominalConcurrencyShares: t.pointer(1, t.int32, { default: 0 }),
    lendablePercent: t.pointer(2, t.int32, { default: 0 }),
  },
);
export interface ExemptPriorityLevelConfiguration extends t.Static<typeof ExemptPriorityLevelConfiguration> {}

export const QueuingConfiguration = t.struct('flowcontrol/v1beta2.QueuingConfiguration', {
  queues: t.always(1, t.int32, { default: 64 }),
  handSize: t.always(2, t.int32, { default: 8 }),
  queueLengthLimit: t.always(3, t.int32, { default: 50 }),
});
export interface QueuingConfiguration extends t.Static<typeof QueuingConfiguration> {}

export const LimitResponse = t.struct(
  'flowcontrol/v1beta2.LimitResponse',
  {
    type: t.always(1, t.named('v1beta2.LimitResponseType', t.string)),
    queuing: t.pointer(2, QueuingConfiguration),
  },
  { unions: [{ discriminator: 'type', fields: { queuing: 'Queuing' } }] },
);
export interface LimitResponse extends t.Static<typeof LimitResponse> {}

export const LimitedPriorityLevelConfiguration = t.struct(
  'flowcontrol/v1beta2.LimitedPriorityLevelConfiguration',
  {
    assuredConcurrencyShares: t.always(1, t.int32, { default: 30 }),
    limitResponse: t.optional(2, LimitResponse),
    lendablePercent: t.pointer(3, t.int32, { default: 0 }),
    borrowingLimitPercent: t.pointer(4, t.int32),
  },
);
export interface LimitedPriorityLevelConfiguration extends t.Static<
  typeof LimitedPriorityLevelConfiguration
> {}

export const PriorityLevelConfigurationSpec = t.struct(
  'flowcontrol/v1beta2.PriorityLevelConfigurationSpec',
  {
    type: t.always(1, t.named('v1beta2.PriorityLevelEnablement', t.string)),
    limited: t.pointer(2, LimitedPriorityLevelConfiguration),
    exempt: t.pointer(3, ExemptPriorityLevelConfiguration),
  },
  { unions: [{ discriminator: 'type', fields: { exempt: 'Exempt', limited: 'Limited' } }] },
);
export interface PriorityLevelConfigurationSpec extends t.Static<typeof PriorityLevelConfigurationSpec> {}

export const PriorityLevelConfigurationCondition = t.struct(
  'flowcontrol/v1beta2.PriorityLevelConfigurationCondition',
  {
    type: t.optional(1, t.named('v1beta2.PriorityLevelConfigurationConditionType', t.string)),
    status: t.optional(2, t.named('v1beta2.ConditionStatus', t.string)),
    lastTransitionTime: t.optional(3, t.time),
    reason: t.optional(4, t.string),
    message: t.optional(5, t.string),
  },
);
export interface PriorityLevelConfigurationCondition extends t.Static<
  typeof PriorityLevelConfigurationCondition
> {}

export const PriorityLevelConfigurationStatus = t.struct(
  'flowcontrol/v1beta2.PriorityLevelConfigurationStatus',
  {
    conditions: t.optional(1, t.listMap(PriorityLevelConfigurationCondition, ['type'])),
  },
);
export interface PriorityLevelConfigurationStatus extends t.Static<typeof PriorityLevelConfigurationStatus> {}

export const PriorityLevelConfiguration = t.kind(
  'flowcontrol/v1beta2.PriorityLevelConfiguration',
  'flowcontrol.apiserver.k8s.io/v1beta2',
  { plural: 'prioritylevelconfigurations', namespaced: false },
  {
    metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
    spec: t.optional(2, PriorityLevelConfigurationSpec),
    status: t.optional(3, PriorityLevelConfigurationStatus),
  },
  {
    columns: priorityLevelColumns,
  },
);
export interface PriorityLevelConfiguration extends t.Static<typeof PriorityLevelConfiguration> {}
