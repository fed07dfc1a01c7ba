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

export const cases: readonly DifferentialCase[] = [
  { name: 'of-a-list', cluster: true, steps: parts.map((part) => ofType('array', part)) },
  { name: 'of-an-object', cluster: true, steps: parts.map((part) => ofType('object', part)) },
  {
    name: 'in-a-combination',
    cluster: true,
    steps: parts.map((part) => ofType('object', { allOf: [part] })),
  },
  { name: 'at-the-root', cluster: true, steps: parts.map((part) => define({ type: 'object', ...part })) },
];
