/**
 * Every default that upstream sets on an empty object, and on one with every optional struct present and one empty item
 * in every list of structs (`defaults.tsv.gz`: 2,570 rows of group, version, kind, path, value and where it was seen).
 */

import {
  applyDefaults,
  decodeValue,
  resolved,
  type Kind,
  type StructType,
  type Type,
} from '@coxswain/schema';
import { describe, expect, test } from 'vitest';
import { groupVersionDirectories, kindsOf } from '../src/index.ts';
import { referenceRows } from './reference-rows.ts';

const kinds = groupVersionDirectories.flatMap(kindsOf);

const nowMs = Date.UTC(2026, 10, 20, 16, 24, 53);

const rowsByKind = Map.groupBy(
  referenceRows('defaults').map(({ group, version, kind, path, value, seen }) => ({
    key: `${group === 'core' ? '' : `${group}/`}${version} ${kind}`,
    path: path!,
    value: value!,
    seen: seen!.split(','),
  })),
  ({ key }) => key,
);

describe.each(['empty', 'filled'] as const)('an object that is %s', (construction) => {
  test.each([...rowsByKind.keys()])('%s gets the defaults of the original', (key) => {
    const kind = kindOf(key);
    const before = construction === 'empty' ? decodeValue(kind.type, {}).object : filled(kind.type);
    const after = structuredClone(before);

    setDefaults(kind, after);

    const expected = new Map(
      rowsByKind
        .get(key)!
        .filter(({ seen }) => seen.includes(construction))
        .map(({ path, value }) => [path, value]),
    );
    for (const [path, value] of expected) if (isSameWhenAbsent(key, path, value)) expected.delete(path);
    const found = [...changes(before, after)].filter(
      ([path, value]) => expected.has(path) || !isBeyondTheTable(path, value),
    );
    expect(Object.fromEntries(found)).toEqual(Object.fromEntries(expected));
  });
});

/** An empty map of an optional field is not written: here it stays absent. */
const isSameWhenAbsent = (key: string, path: string, value: string): boolean =>
  key === 'v1 ConfigMap' && path === 'data' && value === '{}';

/**
 * The table omits empty structs inside webhooks and policies (their selectors), and its filled objects end before the
 * deepest list of pod templates inside other templates. Neither does it contain what upstream's conversion adds, as
 * opposed to its defaults.
 */
const isBeyondTheTable = (path: string, value: string): boolean =>
  (value === '{}' && path.endsWith('Selector')) ||
  path.endsWith('projected.sources[].downwardAPI.items[].fieldRef.apiVersion') ||
  /volumeClaimTemplates\[\]\.(kind|apiVersion)$/.test(path) ||
  path.endsWith('deprecated.daemonset.template.generation') ||
  (value === '0' && /updateStrategy\.rollingUpdate\.max\w+$/.test(path));

function kindOf(key: string): Kind<unknown, never> {
  const found = kinds.find(({ apiVersion, kind }) => `${apiVersion} ${kind}` === key);
  if (found === undefined) throw new Error(`${key} is not described`);
  return found;
}

function setDefaults(kind: Kind<unknown, never>, object: unknown): void {
  applyDefaults(kind.type as StructType, object);
  for (const fill of kind.behaviour.defaults ?? []) fill(object as never, nowMs);
}

function filled(type: Type, above: ReadonlySet<Type> = new Set()): unknown {
  const actual = resolved(type);
  if (actual.form === 'list') {
    const element = resolved(actual.element);
    return element.form === 'struct' && !above.has(element) ? [filled(element, above)] : undefined;
  }
  if (actual.form !== 'struct' || above.has(actual)) return undefined;
  const object: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(actual.fields)) {
    const value = filled(field.type, new Set([...above, actual]));
    if (field.presence === 'embedded') Object.assign(object, value);
    else if (value !== undefined) object[name] = value;
  }
  return object;
}

/** The leaves that `after` has and `before` lacks; items of lists as `[]`. */
function* changes(before: unknown, after: unknown, path = ''): Generator<[string, string]> {
  if (isPlain(after) && (isPlain(before) || before === undefined) && Object.keys(after).length > 0) {
    for (const [name, value] of Object.entries(after)) {
      yield* changes(
        isPlain(before) ? before[name] : undefined,
        value,
        path === '' ? name : `${path}.${name}`,
      );
    }
  } else if (Array.isArray(after) && Array.isArray(before) && before.length > 0) {
    yield* changes(before[0], after[0], `${path}[]`);
  } else if (JSON.stringify(before) !== JSON.stringify(after)) {
    yield [path, JSON.stringify(after)];
  }
}

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
