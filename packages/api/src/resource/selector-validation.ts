/** Validates device selectors: they must compile to a bool, within the cost limit. */

import {
  baseEnvironment,
  earlierEnvironment,
  newestLibrary,
  ProgramError,
  type Ast,
  type Environment,
} from '@coxswain/cel';
import { byteLength, type FieldPath } from '@coxswain/apimachinery';
import { Errors } from '../meta/checks.ts';
import { typeName } from '../meta/expression-type.ts';
import { deviceSizes, deviceType } from './device-type.ts';
import { validateEach } from './list-validation.ts';
import type { DeviceSelector } from './v1/device-selector.ts';

const selectorsMax = 32;
const expressionLengthMax = 10 * 1024;
const costMax = 1_000_000;

let made: Environment | undefined;

/** Created with the first expression. */
const environmentOfDevices = (): Environment =>
  (made ??= baseEnvironment.extend({ variables: { device: deviceType } }));

export function validateSelectors(
  selectors: readonly DeviceSelector[] | undefined,
  path: FieldPath,
  errors: Errors,
): void {
  validateEach(selectors, selectorsMax, path, errors, ({ cel }, each) => {
    const at = each.child('cel', 'expression');
    if (cel == null) errors.required(each.child('cel'));
    else if (byteLength(cel.expression ?? '') > expressionLengthMax) {
      errors.tooLong(at, expressionLengthMax);
    } else validateExpression(cel.expression ?? '', at, errors);
  });
}

function validateExpression(text: string, path: FieldPath, errors: Errors): void {
  const environment = environmentOfDevices();
  const earlier = earlierEnvironment(environment, text);
  if (earlier === undefined) return validateIn(environment, text, path, errors);
  const now = new Errors();
  const before = new Errors();
  validateIn(environment, text, path, now);
  validateIn(earlier, text, path, before);
  errors.push(
    ...now.map((error) => ({ ...error, since: newestLibrary })),
    ...before.map((error) => ({ ...error, until: newestLibrary })),
  );
}

function validateIn(environment: Environment, text: string, path: FieldPath, errors: Errors): void {
  const { ast, issuesText } = environment.compile(text);
  if (ast === undefined) {
    errors.invalid(path, text, `compilation failed: ${issuesText}`);
    return;
  }
  const { kind } = ast.outputType;
  if (kind !== 'bool' && kind !== 'any') {
    const detail = `must evaluate to bool or the unknown type, not ${typeName(ast.outputType)}`;
    errors.invalid(path, text, detail);
    return;
  }
  const problem = programProblem(environment, ast);
  if (problem !== undefined) errors.internal(path, problem);
  else if (environment.estimateCost(ast, deviceSizes).max > costMax) {
    errors.forbidden(path, 'too complex, exceeds cost limit');
  }
}

function programProblem(environment: Environment, ast: Ast): string | undefined {
  try {
    environment.program(ast);
    return undefined;
  } catch (failure) {
    if (failure instanceof ProgramError) return `program instantiation failed: ${failure.message}`;
    throw failure;
  }
}
