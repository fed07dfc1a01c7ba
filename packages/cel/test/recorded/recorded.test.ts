/**
 * Upstream's results for expressions: issues, types, estimated and actual costs, values and errors. Recorded from
 * cel-go 0.26 in the environment of Kubernetes 1.36.3.
 */

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import {
  ProgramError,
  baseEnvironment,
  declaredTypeOfSchema,
  dynType,
  formatType,
  isError,
  noSizeHints,
  sizeHintsOf,
  valueOf,
  type Environment,
  type SchemaProps,
  type SizeHints,
  type Value,
} from '../../src/index.ts';
import { showValue } from './show-value.ts';

interface Answer {
  readonly expr: string;
  readonly issues?: string;
  readonly program?: string;
  readonly type?: string;
  readonly min?: number;
  readonly max?: number;
  readonly value?: string;
  readonly error?: string;
  readonly cost?: number;
}

interface Recording {
  readonly self: unknown;
  readonly answers: readonly Answer[];
  readonly typed: {
    readonly schema: SchemaProps;
    readonly answers: readonly (Answer & { readonly self: unknown })[];
  };
}

/** Integers beyond 2^53 stay exact. */
function exactInteger(_: string, value: unknown, context?: { readonly source?: string }): unknown {
  const isInexact = Number.isInteger(value) && !Number.isSafeInteger(value);
  return isInexact && /^-?\d+$/.test(context?.source ?? '') ? BigInt(context!.source!) : value;
}

const recording = JSON.parse(
  readFileSync(path.join(import.meta.dirname, 'answers.json'), 'utf8'),
  exactInteger,
) as Recording;

/** Upstream accepts any value as a key of a map literal. */
const known = new Set(['{[1]:2}']);

test('expressions over dynamic data are answered as recorded', () => {
  const environment = baseEnvironment.extend({ variables: { self: dynType } });
  const self = valueOf(recording.self);
  const asked = recording.answers.filter(({ expr }) => !known.has(expr));
  const answers = asked.map(({ expr }) => answerTo(environment, noSizeHints, expr, self));
  expect(answers).toEqual(asked.map(rounded));
});

test('expressions over data of a schema are answered as recorded', () => {
  const { schema, answers: asked } = recording.typed;
  const type = declaredTypeOfSchema(schema, { name: 'selfType1', isResourceRoot: false })!;
  const environment = baseEnvironment.extend({ variables: { self: type, oldSelf: type } });
  const answers = asked.map(({ expr, self }) =>
    answerTo(environment, sizeHintsOf(type), expr, valueOf(self, type)),
  );
  expect(answers).toEqual(asked.map((answer) => ({ ...rounded(answer), self: undefined })));
});

/** Costs beyond 2^53 are compared by magnitude. */
const rounded = (answer: Answer): Answer => ({
  ...answer,
  ...(answer.min === undefined ? {} : { min: Number(answer.min.toPrecision(12)) }),
  ...(answer.max === undefined ? {} : { max: Number(answer.max.toPrecision(12)) }),
});

function answerTo(environment: Environment, hints: SizeHints, expr: string, self: Value): Answer {
  const { ast, issuesText } = environment.compile(expr);
  if (!ast) return { expr, issues: issuesText };
  const answer = rounded({ expr, type: formatType(ast.outputType), ...environment.estimateCost(ast, hints) });
  try {
    const { value, cost } = environment.program(ast).evaluate({ self, oldSelf: self });
    return { ...answer, cost, ...(isError(value) ? { error: value.message } : { value: showValue(value) }) };
  } catch (error) {
    if (!(error instanceof ProgramError)) throw error;
    return { ...answer, program: error.message };
  }
}
