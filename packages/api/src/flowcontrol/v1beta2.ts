import * as t from '@coxswain/schema';
import * as v1beta3 from './v1beta3.ts';

export const FlowSchemaCondition = t.structIn('flowcontrol/v1beta2', v1beta3.FlowSchemaCondition);
export interface FlowSchemaCondition extends t.Static<typeof FlowSchemaCondition> {}

export const FlowSchemaStatus = t.struct('flowcontrol/v1beta2.FlowSchemaStatus', {
  conditions: t.optional(1, t.listMap(FlowSchemaCondition, ['type'])),
});
export interface FlowSchemaStatus extends t.Static<typeof FlowSchemaStatus> {}

export const FlowSchema = t.kindIn('flowcontrol/v1beta2', v1beta3.FlowSchema, {
  fields: { status: t.optional(3, FlowSchemaStatus) },
  shared: ['columns'],
});
export interface FlowSchema extends t.Static<typeof FlowSchema> {}

export const LimitResponse = t.structIn('flowcontrol/v1beta2', v1beta3.LimitResponse);
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

export const PriorityLevelConfigurationSpec = t.structIn(
  'flowcontrol/v1beta2',
  v1beta3.PriorityLevelConfigurationSpec,
  { fields: { limited: t.pointer(2, LimitedPriorityLevelConfiguration) } },
);
export interface PriorityLevelConfigurationSpec extends t.Static<typeof PriorityLevelConfigurationSpec> {}

export const PriorityLevelConfigurationCondition = t.structIn(
  'flowcontrol/v1beta2',
  v1beta3.PriorityLevelConfigurationCondition,
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

export const PriorityLevelConfiguration = t.kindIn(
  'flowcontrol/v1beta2',
  v1beta3.PriorityLevelConfiguration,
  {
    fields: {
      spec: t.optional(2, PriorityLevelConfigurationSpec),
      status: t.optional(3, PriorityLevelConfigurationStatus),
    },
    shared: ['columns'],
  },
);
export interface PriorityLevelConfiguration extends t.Static<typeof PriorityLevelConfiguration> {}
