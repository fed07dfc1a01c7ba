/** managedFields that nobody can read, by every way of writing, of built-in and custom kinds. */
import { applyPatch, ask, jsonPatch, mergePatch, strategicPatch, type DifferentialCase } from './case.ts';
import { customGroup, defined, widgets, withoutDefinition } from './definition.ts';
import type { Step } from '../../../packages/kube-apiserver/test/oracle/case.ts';

const entry = {
  manager: 'm',
  operation: 'Update',
  apiVersion: 'v1',
  time: '2026-01-02T03:04:05Z',
  fieldsType: 'FieldsV1',
  fieldsV1: { 'f:data': {} },
};

const unreadable: readonly unknown[] = [
  [{}],
  [null],
  [{ ...entry, fieldsV1: null }],
  [{ ...entry, fieldsV1: {} }],
  [{ ...entry, fieldsV1: { 'f:data': 1 } }],
  [{ ...entry, fieldsV1: { 'f:data': null } }],
  [{ ...entry, fieldsV1: { 'f:data': [] } }],
  [{ ...entry, fieldsV1: { data: {} } }],
  [{ ...entry, fieldsV1: { 'x:data': {} } }],
  [{ ...entry, fieldsV1: { 'k:data': {} } }],
  [{ ...entry, fieldsV1: { 'k:{"a":1}': {} } }],
  [{ ...entry, fieldsV1: { 'v:1': {} } }],
  [{ ...entry, fieldsV1: { 'v:x': {} } }],
  [{ ...entry, fieldsV1: { 'i:0': {} } }],
  [{ ...entry, fieldsV1: { 'i:x': {} } }],
  [{ ...entry, fieldsV1: { '.': {} } }],
  [{ ...entry, fieldsV1: { 'f:data': { '.': {}, 'f:a': { '.': 1 } } } }],
  [{ ...entry, fieldsV1: { '': {} } }],
  [{ ...entry, fieldsV1: [] }],
  [{ ...entry, fieldsV1: 'x' }],
  [{ ...entry, fieldsV1: 1 }],
  [{ ...entry, fieldsType: '' }],
  [{ ...entry, fieldsType: 'FieldsV2' }],
  [{ ...entry, fieldsType: undefined }],
  [{ ...entry, operation: '' }],
  [{ ...entry, operation: 'update' }],
  [{ ...entry, operation: 'Patch' }],
  [{ ...entry, operation: 'Apply' }],
  [{ ...entry, apiVersion: '' }],
  [{ ...entry, apiVersion: 'v9' }],
  [{ ...entry, apiVersion: 'a/b/c' }],
  [{ ...entry, apiVersion: 'apps/v1' }],
  [{ ...entry, manager: '' }],
  [{ ...entry, manager: 'a'.repeat(129) }],
  [{ ...entry, manager: 'a\u0001b' }],
  [{ ...entry, subresource: 'status' }],
  [{ ...entry, subresource: 'x'.repeat(300) }],
  [{ ...entry, time: null }],
  [{ ...entry, time: 'x' }],
  [entry, entry],
  [entry, { ...entry, fieldsV1: { x: {} } }],
  [],
  null,
  {},
  'x',
  1,
];

interface Target {
  readonly name: string;
  readonly collection: string;
  readonly body: object;
  readonly before?: readonly Step[];
  readonly cleanup?: readonly Step[];
  readonly strategic: boolean;
}

const targets: readonly Target[] = [
  {
    name: 'configmaps',
    collection: '/api/v1/namespaces/$ns/configmaps',
    body: { apiVersion: 'v1', kind: 'ConfigMap', data: { a: 'b' } },
    strategic: true,
  },
  {
    name: 'widgets',
    collection: widgets,
    body: { apiVersion: `${customGroup}/v1`, kind: 'Widget' },
    before: defined(),
    cleanup: [withoutDefinition],
    strategic: false,
  },
];

export const cases: readonly DifferentialCase[] = targets.map(
  ({ name, collection, body, before = [], cleanup = [], strategic }) => ({
    name,
    steps: [
      ...before,
      ask(`POST ${collection}`, { ...body, metadata: { name: 'o' } }, { quiet: true }),
      ...unreadable.flatMap((managedFields) => {
        const named = (object: string) => ({ ...body, metadata: { name: object, managedFields } });
        const merged = { metadata: { managedFields } };
        return [
          ask(`POST ${collection}?dryRun=All&fieldManager=a`, named('n')),
          ask(`PUT ${collection}/o?dryRun=All&fieldManager=a`, named('o')),
          ask(`PATCH ${collection}/o?dryRun=All&fieldManager=a`, merged, mergePatch),
          ...(strategic
            ? [ask(`PATCH ${collection}/o?dryRun=All&fieldManager=a`, merged, strategicPatch)]
            : []),
          ask(
            `PATCH ${collection}/o?dryRun=All&fieldManager=a`,
            [{ op: 'replace', path: '/metadata/managedFields', value: managedFields }],
            jsonPatch,
          ),
          ask(`PATCH ${collection}/o?dryRun=All&fieldManager=a&force=true`, named('o'), applyPatch),
          ask(`PATCH ${collection}/n?dryRun=All&fieldManager=a`, named('n'), applyPatch),
        ];
      }),
    ],
    cleanup,
  }),
);
