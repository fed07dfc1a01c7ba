import { expect, test } from 'vitest';
import { declaredInt, declaredObject, declaredString } from '@coxswain/cel';
import { expressionWarnings } from './policy-type-check.ts';

const deployment = {
  text: 'apps/v1, Kind=Deployment',
  type: declaredObject('Deployment1', {
    spec: declaredObject('Deployment1.spec', { replicas: declaredInt }),
  }),
};
const pod = {
  text: '/v1, Kind=Pod',
  type: declaredObject('Pod1', { spec: declaredObject('Pod1.spec', { nodeName: declaredString }) }),
};

test('a field that one of the kinds lacks is reported with the kind', () => {
  const policy = { validations: [{ expression: 'object.spec.replicas > 1' }] };
  expect(expressionWarnings(policy, [pod, deployment], undefined)).toEqual([
    {
      fieldRef: 'spec.validations[0].expression',
      warning:
        "/v1, Kind=Pod: ERROR: <input>:1:12: undefined field 'replicas'\n | object.spec.replicas > 1\n | ...........^\n",
    },
  ]);
});

test('variables have the types of their expressions, and any where these are wrong', () => {
  const policy = {
    variables: [
      { name: 'count', expression: 'object.spec.replicas' },
      { name: 'wrong', expression: 'object.nothing' },
    ],
    validations: [{ expression: 'variables.count == "x"' }, { expression: 'variables.wrong == "x"' }],
  };
  const found = expressionWarnings(policy, [deployment], undefined);
  expect(found.map(({ fieldRef }) => fieldRef)).toEqual(['spec.validations[0].expression']);
});

test('parameters of an unknown type may be anything', () => {
  const policy = { paramKind: {}, validations: [{ expression: 'params.max > object.spec.replicas' }] };
  expect(expressionWarnings(policy, [deployment], undefined)).toEqual([]);
  expect(expressionWarnings(policy, [deployment], declaredObject('Limit1', {}))).toHaveLength(1);
});
