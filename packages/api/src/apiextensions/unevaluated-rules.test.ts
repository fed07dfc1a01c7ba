import { expect, test } from 'vitest';
import { unevaluatedRules } from './unevaluated-rules.ts';
import type { CustomResourceDefinitionSpec } from './v1/custom-resource-definition.ts';

const definition = (schema: object) =>
  ({
    spec: { versions: [{ name: 'v1', schema: { openAPIV3Schema: schema } }] },
  }) as unknown as { spec: CustomResourceDefinitionSpec };

test('a rule anywhere in a schema is warned of, once for its version', () => {
  const rules = { 'x-kubernetes-validations': [{ rule: 'self > 0' }] };
  const schema = { type: 'object', properties: { list: { type: 'array', items: rules }, number: rules } };

  expect(unevaluatedRules(definition(schema))).toEqual([
    'x-kubernetes-validations of version v1 are stored, but not evaluated by this server',
  ]);
});

test('a schema without rules is not warned of', () => {
  expect(unevaluatedRules(definition({ type: 'object', properties: { a: { type: 'string' } } }))).toEqual([]);
});
