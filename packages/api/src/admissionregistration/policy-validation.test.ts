import { fieldErrorText } from '@coxswain/apimachinery';
import { expect, test } from 'vitest';
import { validateMutatingPolicy, validatePolicy } from './policy-validation.ts';

const shared = {
  failurePolicy: 'Fail',
  matchConstraints: {
    matchPolicy: 'Exact',
    namespaceSelector: {},
    objectSelector: {},
    resourceRules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] }],
  },
};
const policy = (spec: object) => ({ metadata: { name: 'p' }, spec: { ...shared, ...spec } as never });
const texts = (spec: object): string[] => validatePolicy(policy(spec), undefined).map(fieldErrorText);
const validation = (others: object): object => ({ validations: [{ expression: 'true', ...others }] });

test.each([
  [{ expression: '1' }, 'expression: Invalid value: "1": must evaluate to bool but got int'],
  [{ messageExpression: '1' }, 'messageExpression: Invalid value: "1": must evaluate to string but got int'],
  [{ message: 'a\nb' }, 'message: Invalid value: "a\\nb": must not contain line breaks'],
])('a validation with %j is refused', (others, text) => {
  expect(texts(validation(others))).toEqual([`spec.validations[0].${text}`]);
});

test('parameters are there for policies with a kind of them', () => {
  const expression = 'params.x == object.x';
  expect(texts(validation({ expression }))[0]).toContain("undeclared reference to 'params'");
  const paramKind = { apiVersion: 'v1', kind: 'ConfigMap' };
  expect(texts({ paramKind, ...validation({ expression }) })).toEqual([]);
});

test('variables are visible to later expressions, with their types', () => {
  const variables = [{ name: 'a', expression: '1' }];
  expect(texts({ variables, ...validation({ expression: 'variables.a == 1' }) })).toEqual([]);
  const [error] = texts({ variables, ...validation({ expression: "variables.a == 'x'" }) });
  expect(error).toContain("found no matching overload for '_==_' applied to '(int, string)'");
});

test("a mutation's result has its declared type", () => {
  const mutate = (mutation: object): string[] =>
    validateMutatingPolicy(
      policy({ reinvocationPolicy: 'Never', mutations: [mutation] }) as Parameters<
        typeof validateMutatingPolicy
      >[0],
      undefined,
    ).map(fieldErrorText);
  const jsonPatch = (expression: string): object => ({ patchType: 'JSONPatch', jsonPatch: { expression } });

  expect(mutate(jsonPatch("[JSONPatch{op: 'remove', path: '/' + jsonpatch.escapeKey('a/b')}]"))).toEqual([]);
  expect(mutate(jsonPatch('Object{}'))).toEqual([
    'spec.mutations[0].jsonPatch.expression: Invalid value: "Object{}": must evaluate to list(JSONPatch) but got Object',
  ]);
});
