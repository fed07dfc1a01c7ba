import { expect, test } from 'vitest';
import {
  CelError,
  ProgramError,
  baseEnvironment,
  bindingsLibrary,
  formatType,
  isError,
  type Ast,
  type Environment,
  type Value,
} from '../../src/index.ts';
import { equalValues } from '../../src/values/equal.ts';
import { Double } from '../../src/values/double.ts';
import { valueText } from '../../src/values/text.ts';
import { typeOf } from '../../src/values/type-of.ts';
import { conformanceCases, typeOfWire, type ConformanceCase } from './cases.ts';
import { excludedFiles, excludedNames, whyNotEnabled } from './not-enabled.ts';
import { valueOfWire } from './wire-value.ts';

const enabled = conformanceCases.filter((named) => whyNotEnabled(named) === undefined);

test('every case that Kubernetes enables passes', () => {
  const failures = enabled.flatMap(({ path, test: one }) => {
    const failure = failureOf(one);
    return failure === undefined ? [] : [`${path}: ${one.expr}: ${failure}`];
  });
  expect(failures).toEqual([]);
});

test('more than half of the suite is enabled', () => {
  expect(enabled.length).toBeGreaterThan(conformanceCases.length / 2);
});

test('every excluded name is one of the suite, and a case that fails without the exclusion', () => {
  const paths = new Set(conformanceCases.map(({ path }) => path));
  expect(excludedNames.filter((name) => !paths.has(name))).toEqual([]);
  const files = new Set(conformanceCases.map(({ path }) => path.split('/')[0]));
  expect(excludedFiles.filter((name) => !files.has(name))).toEqual([]);
  const passing = conformanceCases.filter(
    ({ path, test: one }) => excludedNames.includes(path) && failureOf(one) === undefined,
  );
  expect(passing.map(({ path }) => path)).toEqual([]);
});

function environmentOf({ typeEnv = [], container = '' }: ConformanceCase): Environment {
  const variables = typeEnv
    .filter(({ ident }) => ident)
    .map(({ name, ident }) => [name, typeOfWire(ident!.type)]);
  return baseEnvironment.extend({
    container,
    variables: Object.fromEntries(variables) as Readonly<Record<string, ReturnType<typeof typeOfWire>>>,
    homogeneousLiterals: false,
    escapedIdentifiers: true,
    libraries: [bindingsLibrary],
  });
}

function failureOf(one: ConformanceCase): string | undefined {
  const environment = environmentOf(one);
  const { ast, issuesText } = environment.compile(one.expr);
  if (!ast) return one.evalError ? undefined : issuesText;
  const { deducedType } = one.typedResult ?? {};
  if (deducedType) {
    const [actual, expected] = [formatType(ast.outputType), formatType(typeOfWire(deducedType))];
    if (actual !== expected) return `type ${actual}, not ${expected}`;
  }
  return one.checkOnly ? undefined : evaluationFailure(environment, ast, one);
}

function evaluationFailure(environment: Environment, ast: Ast, one: ConformanceCase): string | undefined {
  const value = evaluate(environment, ast, one);
  if (one.evalError) return isError(value) ? undefined : `no error, but ${valueText(value)}`;
  if (isError(value)) return value.message;
  const wire = one.value ?? one.typedResult?.result;
  const expected = wire ? valueOfWire(wire) : true;
  if (expected instanceof Double && Number.isNaN(expected.value)) {
    return value instanceof Double && Number.isNaN(value.value) ? undefined : `${valueText(value)}, not NaN`;
  }
  const isRight = typeOf(value).kind === typeOf(expected).kind && equalValues(value, expected);
  return isRight ? undefined : `${valueText(value)}, not ${valueText(expected)}`;
}

function evaluate(environment: Environment, ast: Ast, { bindings = {} }: ConformanceCase): Value {
  const values = Object.entries(bindings).map(
    ([name, { value }]) => [name, valueOfWire(value ?? {})] as const,
  );
  try {
    return environment.program(ast).evaluate(Object.fromEntries(values)).value;
  } catch (error) {
    if (error instanceof ProgramError) return new CelError(error.message);
    throw error;
  }
}
