import { expect, test } from 'vitest';
import { readYaml } from './yaml.ts';

const read = (text: string) => readYaml(new TextEncoder().encode(text));

test('JSON is read as YAML, whose keys have a maximum length', () => {
  expect(read(`{"a":{"${'k'.repeat(1000)}":1}}`).value).toMatchObject({ a: { ['k'.repeat(1000)]: 1 } });
  expect(() => read(`{"a":{"${'k'.repeat(1023)}":1}}`)).toThrow("yaml: did not find expected ',' or '}'");
  expect(() => read(`{"${'é'.repeat(1023)}":1}`)).toThrow("yaml: did not find expected ',' or '}'");
  expect(() => read(`{"${'\\u0061'.repeat(171)}":1}`)).toThrow("yaml: did not find expected ',' or '}'");
});
