/** The CEL environment with `node`, `pod` and `container`, and kwok's functions. */

import type { Clock, Random } from '@coxswain/apimachinery';
import type { Container } from '@coxswain/api/core/v1/container.ts';
import type { Node } from '@coxswain/api/core/v1/node.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import {
  CelError,
  Double,
  Timestamp,
  baseEnvironment,
  dynType,
  isError,
  toJson,
  valueOf,
  type Environment,
  type Program,
  type Value,
} from '@coxswain/cel';
import {
  declareFunction,
  overload,
  type FunctionDeclaration,
} from '@coxswain/cel/declarations/declaration.ts';
import { timestampNanoseconds } from '@coxswain/cel/values/timestamp.ts';
import { amountOf } from '../simulated-metrics/simulated-usage.ts';

/** Returns a number or text; undefined if the evaluation fails, for example on a field that the object lacks. */
export function evaluated(
  program: Program,
  seen: Readonly<Record<string, unknown>>,
): number | string | undefined {
  const { value } = program.evaluate(
    Object.fromEntries(Object.entries(seen).map(([name, object]) => [name, valueOf(object)])),
  );
  if (isError(value)) return undefined;
  const plainValue = toJson(value);
  if (typeof plainValue === 'string') return plainValue;
  const amount = Number(plainValue);
  return Number.isFinite(amount) ? amount : undefined;
}

/**
 * Wraps a number so that expressions treat it as a double, even if it is whole. TypeScript's library doesn't know it
 * yet.
 */
const fraction = (amount: number): unknown =>
  (JSON as typeof JSON & { rawJSON(text: string): unknown }).rawJSON(String(amount));

const amountFields = new Set(['requests', 'limits', 'capacity', 'allocatable']);

/** The variables that an expression sees. */
export const seenBy = (
  node: Node | undefined,
  pod?: Pod,
  container?: Container,
): Readonly<Record<string, unknown>> => ({
  node: whole(node),
  pod: whole(pod),
  container: plain(container),
});

/** In Go, absent maps are empty. */
const whole = (object: Node | Pod | undefined): unknown =>
  plain({ ...object, metadata: { labels: {}, annotations: {}, ...object?.metadata } });

/** Returns the object with its quantities as numbers, so that expressions can calculate with them. */
function plain(value: unknown, field = ''): unknown {
  if (typeof value !== 'object' || value === null) return value ?? null;
  if (Array.isArray(value)) return value.map((one) => plain(one));
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) => {
      if (inner === undefined) return [];
      if (amountFields.has(field) && typeof inner === 'string') return [[name, fraction(amountOf(inner))]];
      return [[name, plain(inner, name)]];
    }),
  );
}

/** @throws Error describing what is wrong with an invalid expression */
export function compiled(environment: Environment, text: string): Program {
  const { ast, issuesText } = environment.compile(text);
  if (ast === undefined) throw new Error(`cannot compile the expression ${text}:\n${issuesText}`);
  return environment.program(ast);
}

/** kwok's functions. Quantities are numbers here, so that all arithmetic applies to them. */
export function kwokEnvironment(
  clock: Clock,
  random: Random,
  more: readonly FunctionDeclaration[] = [],
): Environment {
  const quantity = (text: string): Value => {
    try {
      return new Double(amountOf(text));
    } catch (failure) {
      return new CelError(messageOf(failure));
    }
  };
  const now = (): Timestamp =>
    new Timestamp(Math.floor(clock.now() / 1000), (clock.now() % 1000) * 1_000_000);
  const since = (object: Value): Value => {
    const { metadata } = toJson(object) as { readonly metadata?: { readonly creationTimestamp?: string } };
    const beganMs = Date.parse(metadata?.creationTimestamp ?? '');
    return Number.isNaN(beganMs)
      ? new CelError('no creationTimestamp')
      : new Double((clock.now() - beganMs) / 1000);
  };
  const seconds = (time: Timestamp) => new Double(Number(timestampNanoseconds(time)) / 1e9);
  return baseEnvironment.extend({
    variables: { node: dynType, pod: dynType, container: dynType },
    libraries: [
      {
        functions: [
          declareFunction('Quantity', [
            overload('kwok_quantity', '(string) -> double', quantity),
            overload('kwok_quantity_number', '(double) -> double', (amount: Double) => amount),
          ]),
          declareFunction('Now', [overload('kwok_now', '() -> timestamp', now)]),
          declareFunction('Rand', [overload('kwok_rand', '() -> double', () => new Double(random.next()))]),
          declareFunction('SinceSecond', [
            overload('kwok_since', '(dyn) -> double', since),
            overload('kwok_since_member', 'dyn.() -> double', since),
          ]),
          declareFunction('UnixSecond', [
            overload('kwok_unix', '(timestamp) -> double', seconds),
            overload('kwok_unix_member', 'timestamp.() -> double', seconds),
          ]),
        ],
        macros: [],
      },
      {
        functions: more,
      },
    ],
  });
}
