import * as t from '@coxswain/schema';

export const ExemptPriorityLevelConfiguration = t.struct('flowcontrol/v1.ExemptPriorityLevelConfiguration', {
  nominalConcurrencyShares: t.pointer(1, t.int32, { default: 0 }),
  lendablePercent: t.pointer(2, t.int32, { default: 0 }),
});
export interface ExemptPriorityLevelConfiguration extends t.Static<typeof ExemptPriorityLevelConfiguration> {}

export const QueuingConfiguration = t.struct('flowcontrol/v1.QueuingConfiguration', {
  queues: t.always(1, t.int32, { default: 64 }),
  handSize: t.always(2, t.int32, { default: 8 }),
  queueLengthLimit: t.always(3, t.int32, { default: 50 }),
});
export interface QueuingConfiguration extends t.Static<typeof QueuingConfiguration> {}

export const LimitResponse = t.struct(
  'flowcontrol/v1.LimitResponse',
  {
    type: t.always(1, t.named('v1.LimitResponseType', t.string), { required: true }),
    queuing: t.pointer(2, QueuingConfiguration),
  },
  { unions: [{ discriminator: 'type', fields: { queuing: 'Queuing' } }] },
);
export interface LimitResponse extends t.Static<typeof LimitResponse> {}

export const LimitedPriorityLevelConfiguration = t.struct(
  'flowcontrol/v1.LimitedPriorityLevelConfiguration',
  {
    nominalConcurrencyShares: t.nullable(1, t.int32, { default: 30 }),
    limitResponse: t.optional(2, LimitResponse),
    lendablePercent: t.pointer(3, t.int32, { default: 0 }),
    borrowingLimitPercent: t.pointer(4, t.int32),
  },
);
export interface LimitedPriorityLevelConfiguration extends t.Static<
  typeof LimitedPriorityLevelConfiguration
> {}

export const PriorityLevelConfigurationSpec = t.struct(
  'flowcontrol/v1.PriorityLevelConfigurationSpec',
  {
    type: t.always(1, t.named('v1.PriorityLevelEnablement', t.string), { required: true }),
    limited: t.pointer(2, LimitedPriorityLevelConfiguration),
    exempt: t.pointer(3, ExemptPriorityLevelConfiguration),
  },
  { unions: [{ discriminator: 'type', fields: { exempt: 'Exempt', limited: 'Limited' } }] },
);
export interface PriorityLevelConfigurationSpec extends t.Static<typeof PriorityLevelConfigurationSpec> {}

export const PriorityLevelConfigurationCondition = t.struct(
  'flowcontrol/v1.PriorityLevelConfigurationCondition',
  {
    type: t.optional(1, t.named('v1.PriorityLevelConfigurationConditionType', t.string)),
    status: t.optional(2, t.named('v1.ConditionStatus', t.string)),
    lastTransitionTime: t.optional(3, t.time),
    reason: t.optional(4, t.string),
    message: t.optional(5, t.string),
  },
);
export interface PriorityLevelConfigurationCondition extends t.Static<
  typeof PriorityLevelConfigurationCondition
> {}

export const PriorityLevelConfigurationStatus = t.struct('flowcontrol/v1.PriorityLevelConfigurationStatus', {
  conditions: t.optional(1, t.listMap(PriorityLevelConfigurationCondition, ['type']), {
    patch: 'merge',
    patchKey: 'type',
  }),
});
export interface PriorityLevelConfigurationStatus extends t.Static<typeof PriorityLevelConfigurationStatus> {}
