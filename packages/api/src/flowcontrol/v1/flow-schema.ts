import { kind, ObjectMeta, optional } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { flowSchemaColumns } from './flow-schema-columns.ts';
import { validateFlowSchema, validateFlowStatus } from '../flow-schema-validation.ts';
import { FlowSchemaSpec, FlowSchemaStatus } from './flow-schema-spec.ts';

export * from './flow-schema-spec.ts';

export const FlowSchema = kind(
  'flowcontrol/v1.FlowSchema',
  'flowcontrol.apiserver.k8s.io/v1',
  { plural: 'flowschemas', namespaced: false },
  {
    metadata: optional(1, ObjectMeta, { go: 'ObjectMeta' }),
    spec: optional(2, FlowSchemaSpec),
    status: optional(3, FlowSchemaStatus),
  },
  {
    validate: validateFlowSchema,
    validateStatus: validateFlowStatus,
    columns: flowSchemaColumns,
  },
);
export interface FlowSchema extends Static<typeof FlowSchema> {}
