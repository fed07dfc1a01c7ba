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

/** The struct in the version of `folder` (`policy/v1beta1`). */
export function structIn<T>(folder: string, sibling: StructType<Fields, T>): StructType<Fields, T>;
export function structIn<T, const C extends Fields, const O extends keyof T = never>(
  folder: string,
  sibling: StructType<Fields, T>,
  differences: Differences<C, O>,
): StructType<Fields, Changed<T, C, O>>;
export function structIn(
  folder: string,
  sibling: StructType,
  differences?: Differences<Fields, PropertyKey>,
): StructType {
  if (differences !== undefined) return derived(folder, sibling, differences);
  let versions = known.get(sibling);
  if (versions === undefined) known.set(sibling, (versions = new Map()));
  let found = versions.get(folder);
  if (found === undefined) versions.set(folder, (found = derived(folder, sibling, {})));
  return found;
}

/** The kind in the version of `folder`; `shared` names the sibling's behaviour that it has as well. */
export function kindIn<T, const C extends Fields = Record<never, Field>, const O extends keyof T = never>(
  folder: string,
  sibling: Kind<T, T>,
  differences: Differences<C, O> & { readonly shared?: readonly (keyof KindBehaviour<T>)[] } = {},
  own: KindBehaviour<Changed<T, C, O>> = {},
): Kind<Changed<T, C, O>, Changed<T, C, O>> {
  const { name, fields } = derived(folder, sibling.type, differences);
  const { kind: _kind, apiVersion: _apiVersion, ...members } = fields;
  const shared = differences.shared?.map((key) => [key, sibling.behaviour[key]]) ?? [];
  const behaviour = { ...Object.fromEntries(shared), ...own };
  const apiVersion = `${groupIn(folder, sibling)}/${versionOf(folder)}`;
  return kind(name, apiVersion, sibling.names, members, behaviour) as never;
}

/** In another folder than the sibling's, the group is named like the folder (`extensions`). */
const groupIn = (folder: string, { group, type }: Kind<unknown>): string =>
  groupOf(folder) === groupOf(type.name) ? group : groupOf(folder);

const known = new WeakMap<StructType, Map<string, StructType>>();

const folderOf = (name: string): string => name.slice(0, name.lastIndexOf('.'));
const groupOf = (folder: string): string => folder.slice(0, folder.indexOf('/'));
const versionOf = (folder: string): string => folder.slice(folder.indexOf('/') + 1);

function derived(
  folder: string,
  sibling: StructType,
  { fields = {}, without = [] }: Differences<Fields, PropertyKey>,
): StructType {
  const from = folderOf(sibling.name);
  const kept = Object.entries(sibling.fields)
    .filter(([name]) => !without.includes(name))
    .map(([name, field]): [string, Field] => [
      name,
      fields[name] ?? { ...field, type: typeIn(folder, from, field.type) },
    ]);
  const name = folder + sibling.name.slice(from.length);
  return { ...sibling, name, fields: { ...Object.fromEntries(kept), ...fields } };
}

/** `from` is the folder of the sibling; structs of other folders stay as they are. */
function typeIn(folder: string, from: string, type: Type): Type {
  switch (type.form) {
    case 'struct':
      return folderOf(type.name) === from ? structIn(folder, type) : type;
    case 'list':
      return { ...named(folder, from, type), element: typeIn(folder, from, type.element) };
    case 'map':
      return { ...named(folder, from, type), value: typeIn(folder, from, type.value) };
    case 'deferred':
      return { ...type, resolve: () => typeIn(folder, from, type.resolve()) };
    case 'scalar': {
      const { either } = type;
      const object = either && typeIn(folder, from, either.object);
      return { ...named(folder, from, type), ...(object && { either: { ...either, object } }) };
    }
  }
}

/** A type's name in Go contains the version. */
function named<T extends { readonly goName?: string }>(folder: string, from: string, type: T): T {
  if (type.goName === undefined) return type;
  const own = new RegExp(String.raw`\b${versionOf(from)}\.`, 'g');
  return { ...type, goName: type.goName.replace(own, `${versionOf(folder)}.`) };
}
