/** Parts of a definition's schema that may have two forms, in these and in others. */
import { ask, type DifferentialCase } from './case.ts';

const parts: readonly Readonly<Record<string, unknown>>[] = [
  { items: 'text' },
  { items: 5 },
  { items: true },
  { items: null },
  { items: [] },
  { items: {} },
  { items: [{ type: 'string' }] },
  { items: { type: 'string' } },
  { additionalProperties: 'text' },
  { additionalProperties: 5 },
  { additionalProperties: [] },
  { additionalProperties: null },
  { additionalProperties: true },
  { additionalProperties: false },
  { additionalProperties: {} },
  { additionalItems: true },
  { dependencies: { a: 'text' } },
  { dependencies: { a: ['text'] } },
  { dependencies: { a: {} } },
  { dependencies: {} },
  { not: { dependencies: {} } },
  { dependencies: { a: 5 } },
  { definitions: {} },
  { properties: {} },
  { patternProperties: {} },
  { enum: [] },
  { required: [] },
  { anyOf: [] },
  { default: null },
  { not: null },
  { not: {} },
];

const define = (schema: unknown) =>
  ask('POST /apis/apiextensions.k8s.io/v1/customresourcedefinitions?dryRun=All', {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'as.e.com' },
    spec: {
      group: 'e.com',
      scope: 'Cluster',
      names: { plural: 'as', kind: 'A' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }],
    },
  });

const ofType = (type: string, part: object) =>
  define({ type: 'object', properties: { a: { type, ...part } } });

/** Defaults that their own schema refuses: below nothing, below members that are declared, and below others. */
const refusals: readonly (readonly [object, unknown])[] = [
  [{ type: 'integer' }, 'x'],
  [{ type: 'integer', minimum: 3 }, 1],
  [{ type: 'number', multipleOf: 2 }, 3],
  [{ type: 'string', maxLength: 1 }, 'xx'],
  [{ type: 'string', pattern: '^a' }, 'b'],
  [{ type: 'string', enum: ['a'] }, 'b'],
  [{ type: 'string', format: 'ipv4' }, 'b'],
  [{ type: 'object', required: ['a'] }, {}],
  [{ type: 'object', maxProperties: 0, additionalProperties: { type: 'string' } }, { a: 'b' }],
  [
    { type: 'object', additionalProperties: { type: 'integer' } },
    { a: 'b', c: 'd' },
  ],
  [
    { type: 'object', properties: { a: { type: 'integer' } } },
    { a: 'b', c: 'd' },
  ],
  [{ type: 'array', items: { type: 'integer' } }, ['b']],
  [{ type: 'array', maxItems: 0, items: { type: 'integer' } }, [1]],
  [{ 'x-kubernetes-int-or-string': true }, true],
  [{ type: 'string', oneOf: [{ maxLength: 3 }, { maxLength: 4 }] }, 'b'],
  [{ type: 'string', not: { enum: ['b'] } }, 'b'],
  [
    { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
    { a: 1 },
  ],
];
const map = (schema: object) => ({ type: 'object', additionalProperties: schema });
const badDefaults = refusals.flatMap(([schema, value]) => [
  define({ type: 'object', properties: { a: { ...schema, default: value } } }),
  define({ type: 'object', properties: { a: { ...map(schema), default: { k: value } } } }),
  define({ type: 'object', properties: { a: { ...map(map(schema)), default: { k: { l: value } } } } }),
  define({
    type: 'object',
    properties: { a: { type: 'object', properties: { b: map(schema) }, default: { b: { l: value } } } },
  }),
  define({
    type: 'object',
    properties: { a: { type: 'array', items: map(schema), default: [{ l: value }] } },
  }),
]);

export const cases: readonly DifferentialCase[] = [
  { name: 'bad-defaults', cluster: true, steps: badDefaults },
  { name: 'of-a-list', cluster: true, steps: parts.map((part) => ofType('array', part)) },
  { name: 'of-an-object', cluster: true, steps: parts.map((part) => ofType('object', part)) },
  {
    name: 'in-a-combination',
    cluster: true,
    steps: parts.map((part) => ofType('object', { allOf: [part] })),
  },
  { name: 'at-the-root', cluster: true, steps: parts.map((part) => define({ type: 'object', ...part })) },
];
