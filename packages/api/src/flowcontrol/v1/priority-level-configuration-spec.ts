import {
  always,
  int32,
  listMap,
  nullable,
  optional,
  pointer,
  string,
  struct,
  time,
  named,
} from '@coxswain/schema';
import type { Static } from '@coxswain/schema';

export const ExemptPriorityLevelConfiguration = struct('flowcontrol/v1.ExemptPriorityLevelConfiguration', {
  nominalConcurrencyShares: pointer(1, int32, { default: 0 }),
  lendablePercent: pointer(2, int32, { default: 0 }),
});
export interface ExemptPriorityLevelConfiguration extends Static<typeof ExemptPriorityLevelConfiguration> {}

export const QueuingConfiguration = struct('flowcontrol/v1.QueuingConfiguration', {
  queues: always(1, int32, { default: 64 }),
  handSize: always(2, int32, { default: 8 }),
  queueLengthLimit: always(3, int32, { default: 50 }),
});
export interface QueuingConfiguration extends Static<typeof QueuingConfiguration> {}

export const LimitResponse = struct(
  'flowcontrol/v1.LimitResponse',
  {
    type: always(1, named('v1.LimitResponseType', string), { required: true }),
    queuing: pointer(2, QueuingConfiguration),
  },
  { unions: [{ discriminator: 'type', fields: { queuing: 'Queuing' } }] },
);
export interface LimitResponse extends Static<typeof LimitResponse> {}

export const LimitedPriorityLevelConfiguration = struct('flowcontrol/v1.LimitedPriorityLevelConfiguration', {
  nominalConcurrencyShares: nullable(1, int32, { default: 30 }),
  limitResponse: optional(2, LimitResponse),
  lendablePercent: pointer(3, int32, { default: 0 }),
  borrowingLimitPercent: pointer(4, int32),
});
export interface LimitedPriorityLevelConfiguration extends Static<typeof LimitedPriorityLevelConfiguration> {}

export const PriorityLevelConfigurationSpec = struct(
  'flowcontrol/v1.PriorityLevelConfigurationSpec',
  {
    type: always(1, named('v1.PriorityLevelEnablement', string), { required: true }),
    limited: pointer(2, LimitedPriorityLevelConfiguration),
    exempt: pointer(3, ExemptPriorityLevelConfiguration),
  },
  { unions: [{ discriminator: 'type', fields: { exempt: 'Exempt', limited: 'Limited' } }] },
);
export interface PriorityLevelConfigurationSpec extends Static<typeof PriorityLevelConfigurationSpec> {}

export const PriorityLevelConfigurationCondition = struct(
  'flowcontrol/v1.PriorityLevelConfigurationCondition',
  {
    type: optional(1, named('v1.PriorityLevelConfigurationConditionType', string)),
    status: optional(2, named('v1.ConditionStatus', string)),
    lastTransitionTime: optional(3, time),
    reason: optional(4, string),
    message: optional(5, string),
  },
);
export interface PriorityLevelConfigurationCondition extends Static<
  typeof PriorityLevelConfigurationCondition
> {}

export const PriorityLevelConfigurationStatus = struct('flowcontrol/v1.PriorityLevelConfigurationStatus', {
  conditions: optional(1, listMap(PriorityLevelConfigurationCondition, ['type']), {
    patch: 'merge',
    patchKey: 'type',
  }),
});
export interface PriorityLevelConfigurationStatus extends Static<typeof PriorityLevelConfigurationStatus> {}
