/** What containers use by kwok's ResourceUsage: quantities, and expressions in CEL with kwok's functions. */

import { parseQuantity, quantityMilliValue } from '@coxswain/apimachinery/quantity.ts';
import type { Clock, Random } from '@coxswain/apimachinery';
import type { Node } from '@coxswain/api/core/v1/node.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import {
  CelError,
  Double,
  Timestamp,
  baseEnvironment,
  dynType,
  isError,
  toJson,
  valueOf,
} from '@coxswain/cel';
import type { Program, Value } from '@coxswain/cel';
import { declareFunction, overload } from '@coxswain/cel/types/declaration.ts';
import { timestampNanoseconds } from '@coxswain/cel/values/timestamp.ts';
import type { Usage } from '../simulated-metrics/simulated-usage.ts';
import { entryFor } from './kwok-objects.ts';
import type { PodRules } from './kwok-objects.ts';

/** By resource, of one container; undefined where nothing is said. */
export type SaidUsage = (node: Node | undefined, pod: Pod, container: string) => Usage | undefined;

export interface UsageParts {
  readonly rules: PodRules['usages'];
  readonly clock: Clock;
  readonly random: Random;
}

/** @throws Error with what is wrong for an expression that is none */
export function saidUsage({ rules, clock, random }: UsageParts): SaidUsage {
  const environment = environmentOf(clock, random);
  const programs = new Map<string, Program>();
  for (const { entries } of rules)
    for (const { usage = {} } of entries)
      for (const { expression } of Object.values(usage))
        if (expression !== undefined) programs.set(expression, compiled(environment, expression));
  return (node, pod, name) => {
    const { namespace = '', name: podName = '' } = pod.metadata ?? {};
    const usage = entryFor(rules, { namespace, name: podName }, name)?.usage;
    if (usage === undefined) return undefined;
    const container = pod.spec?.containers.find((one) => one.name === name);
    const seen = { node: whole(node), pod: whole(pod), container: plain(container) };
    const said: Record<string, string> = {};
    for (const [resource, { value, expression }] of Object.entries(usage)) {
      const amount =
        value !== undefined
          ? floatOf(String(value))
          : expression === undefined
            ? undefined
            : evaluated(programs.get(expression)!, seen);
      if (amount !== undefined) said[resource] = textOf(resource, amount);
    }
    return said;
  };
}

/** Thousandths of a processor; all else is whole. */
const textOf = (resource: string, amount: number): string => {
  if (resource !== 'cpu') return String(Math.round(amount));
  const milli = Math.round(amount * 1000);
  return milli % 1000 === 0 ? String(milli / 1000) : `${milli}m`;
};

const floatOf = (text: string): number => quantityMilliValue(parseQuantity(text)) / 1000;

/** Nothing where it fails, as for a field that the object has not. */
function evaluated(program: Program, seen: Readonly<Record<string, unknown>>): number | undefined {
  const { value } = program.evaluate(
    Object.fromEntries(Object.entries(seen).map(([name, object]) => [name, valueOf(object)])),
  );
  if (isError(value)) return undefined;
  const amount = Number(toJson(value));
  return Number.isFinite(amount) && amount >= 0 ? amount : undefined;
}

/** A number that expressions take for a double, be it whole or not. TypeScript's library doesn't know it yet. */
const fraction = (amount: number): unknown =>
  (JSON as typeof JSON & { rawJSON(text: string): unknown }).rawJSON(String(amount));

const amountFields = new Set(['requests', 'limits', 'capacity', 'allocatable']);

/** In Go, tables that are absent are empty. */
const whole = (object: Node | Pod | undefined): unknown =>
  plain({ ...object, metadata: { labels: {}, annotations: {}, ...object?.metadata } });

/** The object with its amounts as numbers, with which expressions calculate. */
function plain(value: unknown, field = ''): unknown {
  if (typeof value !== 'object' || value === null) return value ?? null;
  if (Array.isArray(value)) return value.map((one) => plain(one));
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) => {
      if (inner === undefined) return [];
      if (amountFields.has(field) && typeof inner === 'string') return [[name, fraction(floatOf(inner))]];
      return [[name, plain(inner, name)]];
    }),
  );
}

function compiled(environment: ReturnType<typeof environmentOf>, text: string): Program {
  const { ast, issuesText } = environment.compile(text);
  if (ast === undefined) throw new Error(`the expression ${text} is not understood:\n${issuesText}`);
  return environment.program(ast);
}

/** kwok's functions. An amount is a number here, so that all of arithmetic is open to it. */
function environmentOf(clock: Clock, random: Random) {
  const quantity = (text: string): Value => {
    try {
      return new Double(floatOf(text));
    } catch (failure) {
      return new CelError((failure as Error).message);
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
    ],
  });
}
