import { fieldErrorText } from '@coxswain/apimachinery';
import { expect, test } from 'vitest';
import { RuleEvaluator } from './rule-evaluation.ts';
import type { Schema } from './schema-tree.ts';

type Rule = NonNullable<Schema['x-kubernetes-validations']>[number];

/** A resource with these rules for its spec. */
const schemaWith = (...rules: Rule[]): Schema =>
  ({
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        properties: { n: { type: 'integer' }, s: { type: 'string' } },
        'x-kubernetes-validations': rules,
      },
    },
  }) as Schema;

const judge = (schema: Schema, spec: object, old?: object) => {
  const { errors, warnings } = RuleEvaluator.of(schema)!.evaluate({ spec }, old && { spec: old });
  return { errors: errors.map(fieldErrorText), warnings };
};

test('a violated rule is reported with its message', () => {
  const schema = schemaWith({ rule: 'self.n > 1', message: 'too few' });
  expect(judge(schema, { n: 1 }).errors).toEqual(['spec: Invalid value: too few']);
  expect(judge(schema, { n: 2 }).errors).toEqual([]);
});

test('reason, field and a message that is computed', () => {
  const schema = schemaWith({
    rule: 'self.n > 1',
    messageExpression: "'has ' + string(self.n)",
    reason: 'FieldValueForbidden',
    fieldPath: '.n',
  });
  expect(judge(schema, { n: 1 }).errors).toEqual(['spec.n: Forbidden: has 1']);
});

test('a transition rule applies only to updates', () => {
  const schema = schemaWith({ rule: 'self.n >= oldSelf.n' });
  expect(judge(schema, { n: 1 }).errors).toEqual([]);
  expect(judge(schema, { n: 1 }, { n: 2 }).errors).toEqual([
    'spec: Invalid value: failed rule: self.n >= oldSelf.n',
  ]);
});

test('a rule with an optional old value applies to new objects too', () => {
  const schema = schemaWith({ rule: 'oldSelf.hasValue() || self.n == 1', optionalOldSelf: true });
  expect(judge(schema, { n: 2 }).errors).toHaveLength(1);
  expect(judge(schema, { n: 2 }, { n: 3 }).errors).toEqual([]);
});

test('unchanged invalid parts of an update cause only warnings', () => {
  const schema = schemaWith({ rule: 'self.n > 1' });
  expect(judge(schema, { n: 1 }, { n: 1 })).toEqual({
    errors: [],
    warnings: ['spec: Invalid value: failed rule: self.n > 1'],
  });
  expect(judge(schema, { n: 1, s: 'new' }, { n: 1 }).errors).toHaveLength(1);
});

test('an error inside a rule is reported with the rule', () => {
  expect(judge(schemaWith({ rule: '1 / self.n == 1' }), { n: 0 }).errors).toEqual([
    'spec: Invalid value: "object": division by zero evaluating rule: 1 / self.n == 1',
  ]);
});

test('a schema without rules has nothing to evaluate', () => {
  expect(RuleEvaluator.of({ type: 'object' } as Schema)).toBeUndefined();
});
