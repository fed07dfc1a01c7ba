/** Objects with more errors than arguments fit on the stack. */
import { expect, test } from 'vitest';
import { schemaErrors } from './apiextensions/value-validation.ts';

const mistakes = 200_000;

test('every item of a huge list may be wrong', () => {
  const schema = { type: 'object', properties: { list: { type: 'array', items: { type: 'string' } } } };
  const value = { list: Array.from({ length: mistakes }, () => 1) };

  expect(schemaErrors(schema as never, value, '', undefined as never)).toHaveLength(mistakes);
});
