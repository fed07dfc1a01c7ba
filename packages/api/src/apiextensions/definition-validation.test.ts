import { fieldErrorText } from '@coxswain/apimachinery';
import { expect, test } from 'vitest';
import { validateDefinition } from './definition-validation.ts';

type Definition = Parameters<typeof validateDefinition>[0];

/** A definition with one version whose objects have a spec with these properties. */
const definition = (properties: object, spec: object = {}, version: object = {}): Definition =>
  ({
    metadata: { name: 'widgets.example.com', resourceVersion: '1' },
    spec: {
      group: 'example.com',
      names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
      scope: 'Namespaced',
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: {
              type: 'object',
              properties: { spec: { type: 'object', properties, ...spec } },
            },
          },
          ...version,
        },
      ],
      conversion: { strategy: 'None' },
    },
    status: { storedVersions: ['v1'] },
  }) as unknown as Definition;

const at = 'spec.validation.openAPIV3Schema.properties[spec]';
const errorsOf = (...args: Parameters<typeof validateDefinition>): string[] =>
  validateDefinition(...args).map(fieldErrorText);

test('a default has to fit its schema, and to have nothing that the schema does not', () => {
  const properties = {
    a: { type: 'integer', default: 'x' },
    b: { type: 'object', properties: { c: { type: 'string' } }, default: { d: 1 } },
    c: {
      type: 'array',
      items: { type: 'array', items: { type: 'string', maxLength: 1 } },
      default: [['ab']],
    },
    // Upstream doesn't check the type of such a value.
    d: { 'x-kubernetes-int-or-string': true, default: true },
    e: { type: 'object', additionalProperties: { type: 'string' }, default: { f: 1 } },
  };
  expect(errorsOf(definition(properties), undefined)).toEqual([
    `${at}.properties[a].default: Invalid value: "string":  in body must be of type integer: "string"`,
    `${at}.properties[b].default: Invalid value: {"d":1}: must not have unknown fields`,
    `${at}.properties[c].default.[0][0]: Too long: may not be more than 1 byte`,
    `${at}.properties[e].default.f: Invalid value: "integer": .f in body must be of type string: "integer"`,
  ]);
});

test('a selectable field is a scalar that the schema has', () => {
  const fields = [
    { jsonPath: '.spec.a' },
    { jsonPath: '.spec.b' },
    { jsonPath: '.spec.l' },
    { jsonPath: '.spec.a' },
  ];
  const properties = { a: { type: 'string' }, l: { type: 'array', items: { type: 'string' } } };
  expect(errorsOf(definition(properties, {}, { selectableFields: fields }), undefined)).toEqual([
    'spec.selectableFields[1].jsonPath: Invalid value: ".spec.b": is an invalid path: does not refer to a valid field',
    'spec.selectableFields[2].jsonPath: Invalid value: ".spec.l": must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.',
    'spec.selectableFields[3].jsonPath: Duplicate value: ".spec.a"',
  ]);
});

test('a rule has to compile', () => {
  const rules = { 'x-kubernetes-validations': [{ rule: 'self.nope' }] };
  const [error] = errorsOf(definition({ a: { type: 'string' } }, rules), undefined);
  expect(error).toContain(
    "compilation failed: ERROR: <input>:1:5: undefined field 'nope'\\n | self.nope\\n | ....^".replaceAll(
      '\\n',
      '\n',
    ),
  );
});

test('a rule that runs for every item of a list without bounds costs too much', () => {
  const items = { type: 'string', 'x-kubernetes-validations': [{ rule: "self.contains('x')" }] };
  const errors = errorsOf(definition({ l: { type: 'array', items } }), undefined);
  expect(errors[0]).toContain('Forbidden: estimated rule cost exceeds budget by factor of more than 100x');
});

test("errors of a stored schema don't fail an update", () => {
  const loose = definition({
    l: { type: 'array', items: { type: 'object' }, 'x-kubernetes-list-type': 'set' },
  });
  expect(errorsOf(loose, undefined)).not.toEqual([]);
  expect(errorsOf(loose, loose)).toEqual([]);
});
