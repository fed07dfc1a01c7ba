import { expect, test } from 'vitest';
import { CompilationFailed, evaluateText } from './evaluate-text.ts';
import { renderEvaluation } from './render-evaluation.ts';

test('a value comes with its type, its cost and every step that led to it', () => {
  const evaluated = evaluateText({
    text: 'self.items.all(i, i > 0) && size(self.items) < 3',
    variables: { self: { items: [1, 2] } },
    traced: true,
  });
  expect(evaluated).toMatchObject({ type: 'bool', result: { value: true }, estimatedCostMax: undefined });
  expect(evaluated.steps.map(({ text }) => text)).toEqual([
    'self.items',
    'i',
    'i > 0',
    'i',
    'i > 0',
    'self.items.all(i, i > 0)',
    'self.items',
    'size(self.items)',
    'size(self.items) < 3',
    'self.items.all(i, i > 0) && size(self.items) < 3',
  ]);
  expect(evaluated.steps.at(-1)?.cost).toBe(evaluated.cost);
});

test('a failure is reported as by the API server', () => {
  const { result } = evaluateText({ text: 'self.x > 1', variables: { self: {} } });
  expect(result).toEqual({ error: 'no such key: x' });
});

test('a schema gives types, and so a bound of the cost and errors before anything is evaluated', () => {
  const schema = {
    type: 'object',
    properties: { names: { type: 'array', maxItems: 10, items: { type: 'string', maxLength: 20 } } },
  };
  const evaluated = evaluateText({
    text: 'self.names.exists(n, n == "a")',
    variables: { self: { names: ['a'] } },
    schema,
  });
  expect(evaluated.estimatedCostMax).toBeGreaterThan(evaluated.cost);
  expect(() => evaluateText({ text: 'self.nope', variables: { self: {} }, schema })).toThrow(
    new CompilationFailed("ERROR: <input>:1:5: undefined field 'nope'\n | self.nope\n | ....^"),
  );
});

test('an evaluation is written as a table of its steps', () => {
  const evaluated = evaluateText({ text: 'self.a + 1', variables: { self: { a: 2 } }, traced: true });
  expect(renderEvaluation(evaluated)).toBe(
    `STEP        VALUE  COST
self.a      2      2
self.a + 1  3      3

3
type int, cost 3
`,
  );
});
