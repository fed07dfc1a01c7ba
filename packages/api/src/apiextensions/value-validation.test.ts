import { fieldErrorText } from '@coxswain/apimachinery/field-error.ts';
import { AllowanceSpent, WorkAllowance, withinAllowance } from '@coxswain/apimachinery/work-allowance.ts';
import type { StructuralSchema } from '@coxswain/schema/custom/compile.ts';
import { expect, test } from 'vitest';
import { schemaErrors } from './value-validation.ts';

const spec = (properties: StructuralSchema['properties'], others: object = {}): StructuralSchema => ({
  type: 'object',
  properties: { spec: { type: 'object', properties, ...others } },
});
const texts = (schema: StructuralSchema, value: object, old?: object) =>
  schemaErrors(schema, { spec: value }, '', old && { spec: old }).map(fieldErrorText);

test.each([
  [
    { type: 'integer' },
    '1',
    'spec.a: Invalid value: "string": spec.a in body must be of type integer: "string"',
  ],
  [
    { type: 'integer', minimum: 2 },
    1,
    'spec.a: Invalid value: 1: spec.a in body should be greater than or equal to 2',
  ],
  [{ type: 'string', enum: ['x'] }, 'y', 'spec.a: Unsupported value: "y": supported values: "x"'],
  [{ type: 'string', maxLength: 2 }, 'abc', 'spec.a: Too long: may not be more than 2 bytes'],
  [{ type: 'string', pattern: '^b' }, 'a', 'spec.a: Invalid value: "a": spec.a in body should match \'^b\''],
  [
    { type: 'integer', format: 'int64' },
    true,
    'spec.a: Invalid value: "": spec.a in body must be of type int64: ""',
  ],
  [
    { type: 'string', format: 'int64' },
    1,
    'spec.a: Invalid value: "integer": spec.a in body must be of type string: "integer"',
  ],
  [
    { type: 'number', minimum: 2.5, multipleOf: 0.5 },
    1,
    'spec.a: Invalid value: 0: factor MultipleOf declared for spec.a must be positive: 0; ' +
      'spec.a: Invalid value: 1: spec.a in body should be greater than or equal to 2',
  ],
  [{ type: 'number', minimum: 2.5 }, 2, ''],
  [{ type: 'number', multipleOf: 0.1 }, 0.7, ''],
  [
    { 'x-kubernetes-int-or-string': true, enum: [null, 3] },
    null,
    'spec.a: Invalid value: "null": spec.a in body must be of type integer,string: "null"; ' +
      'spec.a: Unsupported value: null: supported values: "null", "3"',
  ],
  [
    { type: 'object', enum: [{}] },
    { b: 1, a: { d: 1, c: 2 } },
    'spec.a: Unsupported value: {"a":{"c":2,"d":1},"b":1}: supported values: "{}"',
  ],
  [{ type: 'array', maxItems: 1, items: {} }, [1, 2], 'spec.a: Too many: 2: must have at most 1 item'],
])('%j of %j is told as by the original', (schema, value, text) => {
  expect(texts(spec({ a: schema }), { a: value }).join('; ')).toBe(text);
});

test('a fraction is reported with the expected format', () => {
  expect(texts(spec({ a: { type: 'integer', format: 'int32' } }), { a: 1.5 })).toContain(
    'spec.a: Invalid value: "float64": spec.a in body must be of type int32: "float64"',
  );
});

test('required and missing', () => {
  expect(texts(spec({}, { required: ['a'] }), {})).toEqual(['spec.a: Required value']);
});

test('an update may keep what was already invalid', () => {
  const schema = spec({ a: { type: 'integer' }, b: { type: 'integer' } });
  expect(texts(schema, { a: 'x', b: 'y' }, { a: 'x', b: 1 })).toHaveLength(1);
});

test('equal errors of two combined schemas are reported once', () => {
  const maximum = { maximum: 1 };
  const number: StructuralSchema = { type: 'integer' };
  expect(texts(spec({ a: { ...number, allOf: [maximum, maximum] } as StructuralSchema }), { a: 3 })).toEqual([
    'spec.a: Invalid value: 3: spec.a in body should be less than or equal to 1',
    '<nil>: Invalid value: "": "spec.a" must validate all the schemas (allOf). None validated',
  ]);
});

test('values that take long to compare with many alternatives are left to another thread', () => {
  let nowMs = 0;
  const allowance = new WorkAllowance({ monotonic: () => nowMs++ }, 5);
  const alternatives = Array.from({ length: 50 }, (_, at) => ({ pattern: `^a${at}$` }));
  const schema = spec({ a: { type: 'array', items: { type: 'string', anyOf: alternatives } as never } });
  const value = { a: Array.from({ length: 50 }, () => 'b') };

  expect(() => withinAllowance(allowance, () => texts(schema, value))).toThrow(AllowanceSpent);
  expect(nowMs).toBeLessThan(10);
});
