import * as t from '@coxswain/schema';
import { priorityLevelColumns } from '../v1/priority-level-configuration-columns.ts';
import * as v1 from '../v1/index.ts';

export const LimitResponse = t.structIn('flowcontrol/v1beta3', v1.LimitResponse, {
  fields: { type: t.always(1, t.named('v1beta3.LimitResponseType', t.string)) },
});
export interface LimitResponse extends t.Static<typeof LimitResponse> {}

export const LimitedPriorityLevelConfiguration = t.structIn(
  'flowcontrol/v1beta3',
  v1.LimitedPriorityLevelConfiguration,
  { fields: { nominalConcurrencyShares: t.always(1, t.int32), limitResponse: t.optional(2, LimitResponse) } },
);
export interface LimitedPriorityLevelConfiguration extends t.Static<
  typeof LimitedPriorityLevelConfiguration
> {}

export const PriorityLevelConfigurationSpec = t.structIn(
  'flowcontrol/v1beta3',
  v1.PriorityLevelConfigurationSpec,
  {
    fields: {
      type: t.always(1, t.named('v1beta3.PriorityLevelEnablement', t.string)),
      limited: t.pointer(2, LimitedPriorityLevelConfiguration),
    },
  },
);
export interface PriorityLevelConfigurationSpec extends t.Static<typeof PriorityLevelConfigurationSpec> {}

export const PriorityLevelConfigurationCondition = t.structIn(
  'flowcontrol/v1beta3',
  v1.PriorityLevelConfigurationCondition,
);
export interface PriorityLevelConfigurationCondition extends t.Static<
  typeof PriorityLevelConfigurationCondition
> {}

export const PriorityLevelConfiguration = t.kindIn(
  'flowcontrol/v1beta3',
  v1.PriorityLevelConfiguration,
  { fields: { spec: t.optional(2, PriorityLevelConfigurationSpec) } },
  { defaults: [defaultShares], columns: priorityLevelColumns },
);
export interface PriorityLevelConfiguration extends t.Static<typeof PriorityLevelConfiguration> {}

/** Zero shares are intended if the annotation says so: that is how v1 represents zero in this version. */
function defaultShares(level: { metadata: t.ObjectMeta; spec: PriorityLevelConfigurationSpec }): void {
  const limited = level.spec.limited;
  if (limited == null || limited.nominalConcurrencyShares) return;
  if (level.metadata.annotations?.[zeroSharesAnnotation] === undefined) limited.nominalConcurrencyShares = 30;
}

const zeroSharesAnnotation = 'flowcontrol.k8s.io/v1beta3-preserve-zero-concurrency-shares';
