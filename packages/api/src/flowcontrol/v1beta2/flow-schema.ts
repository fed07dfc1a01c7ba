import * as t from '@coxswain/schema';
import { flowSchemaColumns } from '../v1/flow-schema-columns.ts';
import * as v1beta3 from '../v1beta3/flow-schema.ts';

export const FlowSchemaCondition = t.structIn('flowcontrol/v1beta2', v1beta3.FlowSchemaCondition);
export interface FlowSchemaCondition extends t.Static<typeof FlowSchemaCondition> {}

export const FlowSchemaStatus = t.struct('flowcontrol/v1beta2.FlowSchemaStatus', {
  conditions: t.optional(1, t.listMap(FlowSchemaCondition, ['type'])),
});
export interface FlowSchemaStatus extends t.Static<typeof FlowSchemaStatus> {}

export const FlowSchema = t.kindIn(
  'flowcontrol/v1beta2',
  v1beta3.FlowSchema,
  { fields: { status: t.optional(3, FlowSchemaStatus) } },
  { columns: flowSchemaColumns },
);
export interface FlowSchema extends t.Static<typeof FlowSchema> {}
