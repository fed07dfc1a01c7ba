/** Converts objects of built-in kinds to the form of upstream's types. */
import type { KubeObject } from '@coxswain/apimachinery';
import { resolved, type Type } from '@coxswain/schema';
import { zeroOf } from '@coxswain/schema/decode/read.ts';
import type { Kind } from '@coxswain/schema/kind.ts';
import { shapeOf } from '@coxswain/schema/shape.ts';

/**
 * Adds the fields that are always printed. Returns the object itself for unknown kinds, and if it doesn't match its
 * kind.
 */
export async function typedForm(object: KubeObject): Promise<KubeObject> {
  const kind = await builtInKind(object);
  if (kind === undefined) return object;
  const { decodeValue } = await import('@coxswain/schema/decode.ts');
  try {
    return decodeValue(kind.type, object).object as KubeObject;
  } catch {
    return object;
  }
}

/** Returns the schema of a built-in kind in any of its versions. */
export async function builtInKind({ apiVersion, kind }: KubeObject): Promise<Kind | undefined> {
  const { groupVersionDirectories, kindsOf } = await import('@coxswain/api/group-versions.ts');
  return groupVersionDirectories
    .flatMap(kindsOf)
    .find((one) => one.apiVersion === apiVersion && one.kind === kind);
}

/** Adds what Go's types always have: the zero values of fields that are not pointers. */
export async function withZeroValues<T extends KubeObject>(object: T): Promise<T> {
  const kind = await builtInKind(object);
  return kind === undefined ? object : (zeroFilled(kind.type, object) as T);
}

function zeroFilled(type: Type, value: unknown): unknown {
  const actual = resolved(type);
  if (actual.form === 'list')
    return Array.isArray(value)
      ? value.map((item) => zeroFilled(actual.element, item ?? zeroOf(actual.element)()))
      : value;
  if (!isObject(value)) return value;
  if (actual.form === 'map')
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [key, zeroFilled(actual.value, member)]),
    );
  if (actual.form !== 'struct') return value;
  const filled: Record<string, unknown> = { ...value };
  for (const { name, field } of shapeOf(actual).members) {
    const isPointer = field.presence === 'pointer' || field.presence === 'nullable';
    const member = value[name] ?? (isPointer ? undefined : zeroOf(field.type)());
    if (member !== undefined && member !== null) filled[name] = zeroFilled(field.type, member);
  }
  return filled;
}

/** Removes fields that its kind doesn't have; missing ones are not added. */
export async function withKnownFields(object: KubeObject): Promise<KubeObject> {
  const typed = await typedForm(object);
  return typed === object ? object : (knownOf(object, typed) as KubeObject);
}

function knownOf(value: unknown, typed: unknown): unknown {
  if (Array.isArray(value) && Array.isArray(typed))
    return value.map((item, index) => knownOf(item, typed[index]));
  if (!isObject(value) || !isObject(typed)) return value;
  return Object.fromEntries(
    Object.entries(value)
      // The typed form drops empty values.
      .filter(([key, member]) => Object.hasOwn(typed, key) || isEmpty(member))
      .map(([key, member]) => [key, knownOf(member, typed[key])]),
  );
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isEmpty = (value: unknown): boolean =>
  !value || (typeof value === 'object' && Object.keys(value).length === 0);

/** Puts the fields of objects into the order of upstream's types and sorts maps, as Go encodes typed objects. */
export async function typedArrangement(): Promise<(object: unknown) => unknown> {
  const { groupVersionDirectories, kindsOf } = await import('@coxswain/api/group-versions.ts');
  const types = new Map<string, Type>();
  for (const { apiVersion, kind, type, listType } of groupVersionDirectories.flatMap(kindsOf)) {
    types.set(`${apiVersion} ${kind}`, type);
    types.set(`${apiVersion} ${kind}List`, listType);
  }
  const arranged = (object: unknown): unknown => {
    if (!isObject(object)) return object;
    const { apiVersion, kind, items } = object;
    if (kind === 'List' && Array.isArray(items)) return { ...object, items: items.map(arranged) };
    const type = types.get(`${String(apiVersion)} ${String(kind)}`);
    // The type's own fields precede all others.
    return type === undefined ? object : { kind, apiVersion, ...(inOrderOf(type, object) as object) };
  };
  return arranged;
}

function inOrderOf(type: Type, value: unknown): unknown {
  const actual = resolved(type);
  if (Array.isArray(value)) {
    return actual.form === 'list' ? value.map((item) => inOrderOf(actual.element, item)) : value;
  }
  if (!isObject(value)) return value;
  const member = (name: string, of: Type) => [name, inOrderOf(of, value[name])] as const;
  if (actual.form === 'map') {
    return Object.fromEntries(
      Object.keys(value)
        .sort()
        .map((name) => member(name, actual.value)),
    );
  }
  if (actual.form !== 'struct') return value;
  const members = shapeOf(actual).members.filter(({ name }) => Object.hasOwn(value, name));
  return {
    ...Object.fromEntries(members.map(({ name, field }) => member(name, field.type))),
    // Fields that the type doesn't have come last.
    ...Object.fromEntries(
      Object.entries(value).filter(([name]) => members.every((one) => one.name !== name)),
    ),
  };
}
