/**
 * An older version of a kind or struct, declared by its differences from a sibling. Structs of the sibling's version
 * that it refers to are derived too, each only once, so that a struct is the same value wherever it is used.
 */

import { kind, type Kind, type KindBehaviour } from './kind.ts';
import type { Field, Fields, ObjectOf, StructType, Type } from './type.ts';

type Flatten<T> = { [K in keyof T]: T[K] };
type Changed<T, C extends Fields, O> = Flatten<Omit<T, keyof C | (O & PropertyKey)> & ObjectOf<C>>;

interface Differences<C extends Fields, O> {
  /** Fields that differ, which keep their position, and new fields, which go to the end. */
  readonly fields?: C;
  readonly without?: readonly O[];
}

/** The struct in the version of `directory` (`policy/v1beta1`). */
export function structIn<T>(directory: string, sibling: StructType<Fields, T>): StructType<Fields, T>;
export function structIn<T, const C extends Fields, const O extends keyof T = never>(
  directory: string,
  sibling: StructType<Fields, T>,
  differences: Differences<C, O>,
): StructType<Fields, Changed<T, C, O>>;
export function structIn(
  directory: string,
  sibling: StructType,
  differences?: Differences<Fields, PropertyKey>,
): StructType {
  let versions = known.get(sibling);
  if (versions === undefined) known.set(sibling, (versions = new Map()));
  let found = differences === undefined ? versions.get(directory) : undefined;
  if (found === undefined) versions.set(directory, (found = derived(directory, sibling, differences ?? {})));
  return found;
}

/** The kind in the version of `directory`; `shared` names the sibling's behaviour that it has as well. */
export function kindIn<T, const C extends Fields = Record<never, Field>, const O extends keyof T = never>(
  directory: string,
  sibling: Kind<T, T>,
  differences: Differences<C, O> & { readonly shared?: readonly (keyof KindBehaviour<T>)[] } = {},
  own: KindBehaviour<Changed<T, C, O>> = {},
): Kind<Changed<T, C, O>, Changed<T, C, O>> {
  const { name, fields } = derived(directory, sibling.type, differences);
  const { kind: _kind, apiVersion: _apiVersion, ...members } = fields;
  const shared = differences.shared?.map((key) => [key, sibling.behaviour[key]]) ?? [];
  const behaviour = { ...Object.fromEntries(shared), ...own };
  const apiVersion = `${groupIn(directory, sibling)}/${versionOf(directory)}`;
  return kind(name, apiVersion, sibling.names, members, behaviour) as never;
}

/** In another directory than the sibling's, the group is named like the directory (`extensions`). */
const groupIn = (directory: string, { group, type }: Kind<unknown>): string =>
  groupOf(directory) === groupOf(type.name) ? group : groupOf(directory);

const known = new WeakMap<StructType, Map<string, StructType>>();

const directoryOf = (name: string): string => name.slice(0, name.lastIndexOf('.'));
const groupOf = (directory: string): string => directory.slice(0, directory.indexOf('/'));
const versionOf = (directory: string): string => directory.slice(directory.indexOf('/') + 1);

function derived(
  directory: string,
  sibling: StructType,
  { fields = {}, without = [] }: Differences<Fields, PropertyKey>,
): StructType {
  const from = directoryOf(sibling.name);
  const kept = Object.entries(sibling.fields)
    .filter(([name]) => !without.includes(name))
    .map(([name, field]): [string, Field] => [
      name,
      fields[name] ?? { ...field, type: typeIn(directory, from, field.type) },
    ]);
  const name = directory + sibling.name.slice(from.length);
  return { ...sibling, name, fields: { ...Object.fromEntries(kept), ...fields } };
}

/** `from` is the directory of the sibling; structs of other directories stay as they are. */
function typeIn(directory: string, from: string, type: Type): Type {
  switch (type.form) {
    case 'struct':
      return directoryOf(type.name) === from ? structIn(directory, type) : type;
    case 'list':
      return { ...named(directory, from, type), element: typeIn(directory, from, type.element) };
    case 'map':
      return { ...named(directory, from, type), value: typeIn(directory, from, type.value) };
    case 'deferred':
      return { ...type, resolve: () => typeIn(directory, from, type.resolve()) };
    case 'scalar': {
      const { either } = type;
      const object = either && typeIn(directory, from, either.object);
      return { ...named(directory, from, type), ...(object && { either: { ...either, object } }) };
    }
  }
}

/** A type's name in Go contains the version. */
function named<T extends { readonly goName?: string }>(directory: string, from: string, type: T): T {
  if (type.goName === undefined) return type;
  const own = new RegExp(String.raw`\b${versionOf(from)}\.`, 'g');
  return { ...type, goName: type.goName.replace(own, `${versionOf(directory)}.`) };
}
