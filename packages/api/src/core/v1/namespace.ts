import {
  always,
  atomicList,
  kind,
  listMap,
  ObjectMeta,
  oneOf,
  optional,
  string,
  struct,
  time,
  named,
} from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { nameColumn, column, ageColumn } from '../../meta/columns.ts';
import { validateFinalize, validateNamespace, validateNamespaceStatus } from './namespace-validation.ts';

export const NamespaceSpec = struct('core/v1.NamespaceSpec', {
  finalizers: optional(1, atomicList(named('v1.FinalizerName', string))),
});
export interface NamespaceSpec extends Static<typeof NamespaceSpec> {}

export const NamespaceCondition = struct('core/v1.NamespaceCondition', {
  type: always(1, named('v1.NamespaceConditionType', string), { required: true }),
  status: always(2, named('v1.ConditionStatus', string), { required: true }),
  lastTransitionTime: optional(4, time),
  reason: optional(5, string),
  message: optional(6, string),
});
export interface NamespaceCondition extends Static<typeof NamespaceCondition> {}

export const NamespaceStatus = struct('core/v1.NamespaceStatus', {
  phase: optional(1, named('v1.NamespacePhase', oneOf(['Active', 'Terminating'])), { default: 'Active' }),
  conditions: optional(2, listMap(NamespaceCondition, ['type']), { patch: 'merge', patchKey: 'type' }),
});
export interface NamespaceStatus extends Static<typeof NamespaceStatus> {}

export const Namespace = kind(
  'core/v1.Namespace',
  'v1',
  { plural: 'namespaces', shortNames: ['ns'], namespaced: false },
  {
    metadata: optional(1, ObjectMeta, { go: 'ObjectMeta' }),
    spec: optional(2, NamespaceSpec),
    status: optional(3, NamespaceStatus),
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
export interface Namespace extends Static<typeof Namespace> {}

/** Nameless ones (generateName) get the label when they have their name. */
function labelWithName({ metadata }: { metadata: ObjectMeta }): void {
  if (metadata.name) metadata.labels = { ...metadata.labels, [nameLabel]: metadata.name };
}

const nameLabel = 'kubernetes.io/metadata.name';
