import * as t from '@coxswain/schema';
import { ageColumn, column, nameColumn } from '../../meta/columns.ts';
import { byPrecedence } from '../precedence.ts';
import { validateFlowSchema, validateFlowStatus } from '../flow-schema-validation.ts';
import { FlowSchemaSpec, FlowSchemaStatus } from './flow-schema-spec.ts';

export * from './flow-schema-spec.ts';

export const FlowSchema = t.kind(
  'flowcontrol/v1.FlowSchema',
  'flowcontrol.apiserver.k8s.io/v1',
  { plural: 'flowschemas', namespaced: false },
  {
    metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
    spec: t.optional(2, FlowSchemaSpec),
    status: t.optional(3, FlowSchemaStatus),
  },
  {
    validate: validateFlowSchema,
    validateStatus: validateFlowStatus,
    columns: [
      nameColumn,
      column('PriorityLevel', ({ spec }) => spec.priorityLevelConfiguration?.name ?? ''),
      column('MatchingPrecedence', ({ spec }) => spec.matchingPrecedence ?? 0),
      column('DistinguisherMethod', ({ spec }) => spec.distinguisherMethod?.type ?? '<none>'),
      ageColumn,
      column(
        'MissingPL',
        ({ status }) => (status?.conditions ?? []).find(({ type }) => type === 'Dangling')?.status ?? '?',
      ),
    ],
    rowOrder: byPrecedence,
  },
);
export interface FlowSchema extends t.Static<typeof FlowSchema> {}
