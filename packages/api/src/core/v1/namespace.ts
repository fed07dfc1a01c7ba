import * as t from '@coxswain/schema';
import { nameColumn, column, ageColumn } from '../../meta/columns.ts';
import { validateFinalize, validateNamespace, validateNamespaceStatus } from './namespace-validation.ts';

export const NamespaceSpec = t.struct('core/v1.NamespaceSpec', {
  finalizers: t.optional(1, t.atomicList(t.named('v1.FinalizerName', t.string))),
});
export interface NamespaceSpec extends t.Static<typeof NamespaceSpec> {}

export const NamespaceCondition = t.struct('core/v1.NamespaceCondition', {
  type: t.always(1, t.named('v1.NamespaceConditionType', t.string), { required: true }),
  status: t.always(2, t.named('v1.ConditionStatus', t.string), { required: true }),
  lastTransitionTime: t.optional(4, t.time),
  reason: t.optional(5, t.string),
  message: t.optional(6, t.string),
});
export interface NamespaceCondition extends t.Static<typeof NamespaceCondition> {}

export const NamespaceStatus = t.struct('core/v1.NamespaceStatus', {
  phase: t.optional(1, t.named('v1.NamespacePhase', t.oneOf(['Active', 'Terminating'])), {
    default: 'Active',
  }),
  conditions: t.optional(2, t.listMap(NamespaceCondition, ['type']), { patch: 'merge', patchKey: 'type' }),
});
export interface NamespaceStatus extends t.Static<typeof NamespaceStatus> {}

export const Namespace = t.kind(
  'core/v1.Namespace',
  'v1',
  { plural: 'namespaces', shortNames: ['ns'], namespaced: false },
  {
    metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
    spec: t.optional(2, NamespaceSpec),
    status: t.optional(3, NamespaceStatus),
  },
  {
    defaults: [labelWithName],
    validate: validateNamespace,
    validateStatus: validateNamespaceStatus,
    validateSubresource: { finalize: validateFinalize },
    columns: [nameColumn, column('Status', ({ status }) => status?.phase ?? ''), ageColumn],
    selectableFields: { 'status.phase': ({ status }) => status?.phase ?? '' },
    metadataSelectors: 'nameOnly',
  },
);
export interface Namespace extends t.Static<typeof Namespace> {}

/** A namespace with generateName gets the label once it has its name. */
function labelWithName({ metadata }: { metadata: t.ObjectMeta }): void {
  if (metadata.name) metadata.labels = { ...metadata.labels, [nameLabel]: metadata.name };
}

const nameLabel = 'kubernetes.io/metadata.name';
