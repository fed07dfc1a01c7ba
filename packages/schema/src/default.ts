/**
 * Applies the defaults that fields state. Compiled once per type; only subtrees that can have a default are visited.
 * Defaults that depend on other values are in a kind's `behaviour.defaults`, which the caller runs afterwards.
 */

import { shapeOf, type Member } from './shape.ts';
import { resolved, type Presence, type StructType, type Type } from './type.ts';

/** Applies the defaults; modifies the object. A second run changes nothing. */
export function applyDefaults(type: StructType, object: unknown): void {
  defaulterOf(type)?.(object as Record<string, unknown>);
}

/** Whether {@link applyDefaults} may change a value. */
export const hasDefaults = (type: StructType): boolean => defaulterOf(type) !== undefined;

type Fill = (value: Record<string, unknown>) => void;

const defaulters = new WeakMap<StructType, Fill | 'none'>();

function defaulterOf(struct: StructType): Fill | undefined {
  const known = defaulters.get(struct);
  if (known !== undefined) return known === 'none' ? undefined : known;
  const fill = holdsDefaults(struct, new Set()) ? compileStruct(struct) : undefined;
  defaulters.set(struct, fill ?? 'none');
  return fill;
}

/** Whether any nested type has a default. */
function holdsDefaults(type: Type, visited: Set<Type>): boolean {
  const actual = resolved(type);
  if (visited.has(actual)) return false;
  visited.add(actual);
  switch (actual.form) {
    case 'scalar':
      return false;
    case 'list':
      return holdsDefaults(actual.element, visited);
    case 'map':
      return holdsDefaults(actual.value, visited);
    case 'struct':
      return shapeOf(actual).members.some(
        ({ field }) => field.default !== undefined || holdsDefaults(field.type, visited),
      );
  }
}

function compileStruct(struct: StructType): Fill {
  let steps: readonly Fill[] | undefined;
  return (object) => {
    steps ??= shapeOf(struct)
      .members.map(fillMember)
      .filter((step) => step !== undefined);
    for (const step of steps) step(object);
  };
}

function fillMember({ name, field }: Member): Fill | undefined {
  const below = fillOf(field.type);
  const unset = field.keepNull ? isAbsent : unsetTest(field.presence);
  // A zero value as default (published for `name: ""`) is what an unset member means anyway.
  const isDefaulted = field.default !== undefined && !unset(field.default);
  if (below === undefined && !isDefaulted) return undefined;
  const fresh = freshOf(field.default);
  return (object) => {
    let value = object[name];
    if (isDefaulted && unset(value)) object[name] = value = fresh();
    if (below !== undefined && typeof value === 'object' && value !== null)
      below(value as Record<string, unknown>);
  };
}

const isAbsent = (value: unknown): boolean => value === undefined;

/** Pointers are unset if unset; all others also when zero. */
const unsetTest = (presence: Presence): ((value: unknown) => boolean) =>
  presence === 'pointer' || presence === 'nullable'
    ? (value) => value === undefined || value === null
    : (value) =>
        value === undefined ||
        value === null ||
        value === '' ||
        value === 0 ||
        value === false ||
        isEmpty(value);

function isEmpty(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  for (const _key in value) return false;
  return true;
}

/** Objects are copied, so that no two objects share them. */
const freshOf = (value: unknown): (() => unknown) =>
  typeof value === 'object' && value !== null ? () => copyOf(value) : () => value;

/** For plain values; `structuredClone` takes twenty times as long for the few members that defaults have. */
function copyOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyOf);
  if (typeof value !== 'object' || value === null) return value;
  const copy: Record<string, unknown> = {};
  for (const name in value) copy[name] = copyOf((value as Record<string, unknown>)[name]);
  return copy;
}

function fillOf(type: Type): Fill | undefined {
  if (!holdsDefaults(type, new Set())) return undefined;
  const actual = resolved(type);
  if (actual.form === 'struct') return (value) => defaulterOf(actual)?.(value);
  if (actual.form === 'scalar') return undefined;
  const element = actual.form === 'list' ? actual.element : actual.value;
  let fill: Fill | undefined;
  return (values) => {
    fill ??= fillOf(element);
    for (const key in values) {
      const value = values[key];
      if (typeof value === 'object' && value !== null) fill?.(value as Record<string, unknown>);
    }
  };
}
