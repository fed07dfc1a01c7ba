/** Compares an answer with what a case expects. */
import { deepEqual } from '@coxswain/apimachinery';
import type { Answer } from './trial-cluster.ts';
import type { Expectation } from './suite.ts';

/** Returns one line per deviation; none if everything is as expected. */
export function disappointments(answer: Answer, expected: Expectation): readonly string[] {
  const decision = wrongDecision(answer, expected.denied);
  if (decision !== undefined) return [decision];
  return [...wrongWarnings(answer, expected.warnings), ...wrongMembers(answer, expected.object)];
}

function wrongDecision({ status, message }: Answer, denied: string | true | undefined): string | undefined {
  const isDenied = status >= 400;
  if (denied === undefined) return isDenied ? `it was denied (${status}): ${message}` : undefined;
  if (!isDenied) return `it was allowed but should have been denied${denied === true ? '' : `: ${denied}`}`;
  if (denied === true || message.includes(denied)) return undefined;
  return `it was denied with a different message: ${message}`;
}

function wrongWarnings({ warnings }: Answer, expected: readonly string[] | undefined): readonly string[] {
  if (expected === undefined) return [];
  const missing = expected.filter((text) => !warnings.some((warning) => warning.includes(text)));
  const surplus = expected.length === 0 ? warnings : [];
  return [
    ...missing.map((text) => `missing warning: ${text}`),
    ...surplus.map((warning) => `unexpected warning: ${warning}`),
  ];
}

function wrongMembers({ object }: Answer, expected: unknown): readonly string[] {
  return expected === undefined ? [] : differences(object, expected, '');
}

/** Fields that are not mentioned may have any value; lists are compared as a whole. */
function differences(actual: unknown, expected: unknown, path: string): readonly string[] {
  if (isObject(expected) && isObject(actual)) {
    return Object.entries(expected).flatMap(([key, value]) =>
      differences(actual[key], value, path === '' ? key : `${path}.${key}`),
    );
  }
  if (deepEqual(actual, expected)) return [];
  return [`${path} is ${JSON.stringify(actual)}, expected ${JSON.stringify(expected)}`];
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
