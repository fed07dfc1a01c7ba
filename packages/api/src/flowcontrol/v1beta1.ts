import * as t from '@coxswain/schema';
import * as v1beta2 from './v1beta2.ts';

export const FlowSchema = t.kindIn('flowcontrol/v1beta1', v1beta2.FlowSchema, { shared: ['columns'] });
export interface FlowSchema extends t.Static<typeof FlowSchema> {}

export const PriorityLevelConfiguration = t.kindIn(
  'flowcontrol/v1beta1',
  v1beta2.PriorityLevelConfiguration,
  { shared: ['columns'] },
);
export interface PriorityLevelConfiguration extends t.Static<typeof PriorityLevelConfiguration> {}
