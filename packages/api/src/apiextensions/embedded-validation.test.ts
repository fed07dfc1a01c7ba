import { fieldErrorText } from '@coxswain/apimachinery/field-error.ts';
import { expect, test } from 'vitest';
import { embeddedErrors } from './embedded-validation.ts';

const embedded = { type: 'object', 'x-kubernetes-embedded-resource': true };
const schema = {
  type: 'object',
  properties: {
    list: { type: 'array', items: embedded },
    map: { type: 'object', additionalProperties: embedded },
  },
};
const texts = (value: object) => embeddedErrors(schema, value).map(fieldErrorText);

test('an embedded object has an apiVersion and a kind', () => {
  expect(texts({ list: [{}, { apiVersion: 'v1', kind: 'Pod' }] })).toEqual([
    'list[0].apiVersion: Required value',
    'list[0].kind: Required value',
  ]);
});

test('its metadata is well-formed', () => {
  const object = { apiVersion: 'a/b/c', kind: '', metadata: { name: 'a/b', labels: { a: '-' } } };
  expect(texts({ map: { x: object } })).toEqual([
    'map[x].apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c',
    'map[x].kind: Invalid value: "": must not be empty',
    `map[x].metadata.name: Invalid value: "a/b": may not contain '/'`,
    expect.stringMatching(/^map\[x\]\.metadata\.labels: Invalid value: "-": /),
  ]);
});
