import { expect, test } from 'vitest';
import { checkFields } from './check-fields.ts';
import { schemaOfKind, type OpenApiDocument } from './kind-schema.ts';

const document: OpenApiDocument = {
  components: {
    schemas: {
      Spec: {
        type: 'object',
        required: ['size'],
        properties: {
          size: { type: 'integer' },
          policy: { type: 'string', enum: ['Always', 'Never'] },
          port: { format: 'int-or-string', oneOf: [{ type: 'integer' }, { type: 'string' }] },
          amount: { oneOf: [{ type: 'string' }, { type: 'number' }] },
          labels: { type: 'object', additionalProperties: { type: 'string' } },
          any: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
          items: { type: 'array', items: { allOf: [{ $ref: '#/components/schemas/Spec' }] } },
        },
      },
      Thing: {
        type: 'object',
        properties: { spec: { default: {}, allOf: [{ $ref: '#/components/schemas/Spec' }] } as object },
        'x-kubernetes-group-version-kind': [{ group: 'example.test', version: 'v1', kind: 'Thing' }],
      },
    },
  },
};
const schema = schemaOfKind(document, 'example.test', 'v1', 'Thing')!;

const problems = (spec: unknown): readonly string[] =>
  checkFields(schema, { spec }).map(({ path, problem }) => `${path.join('.')}: ${problem.kind}`);

test('an object that the schema allows has no problems', () => {
  expect(
    problems({
      size: 1,
      policy: 'Never',
      port: 'http',
      amount: 2,
      labels: { any: 'thing' },
      any: { thing: { goes: 1 } },
      items: [{ size: 2, port: 80 }],
    }),
  ).toEqual([]);
});

test('unknown fields, wrong types, wrong values and missing fields are reported with their place', () => {
  expect(problems({ size: 'x', polcy: '', labels: { a: 1 }, items: [{ policy: 'Maybe' }] })).toEqual([
    'spec.size: type',
    'spec.polcy: unknown',
    'spec.labels.a: type',
    'spec.items.0.policy: value',
    'spec.items.0: missing',
  ]);
});

test('the schema of a field is found by its path, however it is composed', () => {
  expect(schema.at(['spec', 'items', 3, 'policy'])?.enum).toEqual(['Always', 'Never']);
  expect(schema.at(['spec', 'nothing', 'here'])).toBeUndefined();
});
