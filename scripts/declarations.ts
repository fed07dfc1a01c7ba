/**
 * TypeScript declarations of every kind, from the same descriptions that the server runs on: `coxswain/api/apps/v1`
 * and so on, and `coxswain/api` with what they share. Plain interfaces, so that a user's compiler has nothing to
 * compute; comments are the original's, as client-node has them.
 */

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { definitionName } from '@coxswain/schema/openapi/names.ts';
import {
  resolved,
  type Field,
  type Kind,
  type ScalarName,
  type StructType,
  type Type,
} from '@coxswain/schema';
import { shapeOf } from '@coxswain/schema/shape.ts';
import { groupVersionDirectories, kindsOf } from '../packages/api/src/group-versions.ts';

/** By definition and member, as {@link describedTypes} has them. */
type Descriptions = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** The contents of the declaration files, by path below `api/`. */
export function declarations(descriptions: Descriptions): ReadonlyMap<string, string> {
  const modules = modulesOfAllStructs();
  const files = new Map<string, string>([['index.d.ts', shared]]);
  for (const [directory, structs] of modules) {
    files.set(`${directory}.d.ts`, new ModuleText(directory, descriptions).of(structs));
  }
  return files;
}

/** What the types of all kinds have to do with, as the client library has it. */
const shared = readFileSync(path.join(import.meta.dirname, '../packages/client/src/kind/draft.ts'), 'utf8');

/** Structs by directory: `core/v1`. */
function modulesOfAllStructs(): ReadonlyMap<string, readonly StructType[]> {
  const structs = new Set<StructType>();
  for (const directory of groupVersionDirectories) {
    for (const { type, listType, names } of kindsOf(directory)) {
      collect(type, structs);
      if (names !== undefined) collect(listType, structs);
    }
  }
  const modules = new Map<string, StructType[]>();
  for (const struct of [...structs].sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const { directory } = placeOf(struct);
    const others = modules.get(directory) ?? [];
    if (!others.some(({ name }) => name === struct.name)) others.push(struct);
    modules.set(directory, others);
  }
  return modules;
}

function collect(type: Type, structs: Set<StructType>): void {
  const actual = resolved(type);
  if (actual.form === 'list') collect(actual.element, structs);
  else if (actual.form === 'map') collect(actual.value, structs);
  else if (actual.form === 'scalar' && actual.either) collect(actual.either.object, structs);
  else if (actual.form === 'struct' && !structs.has(actual)) {
    structs.add(actual);
    for (const { field } of shapeOf(actual).members) collect(field.type, structs);
  }
}

/** `core/v1.Pod` → directory `core/v1`, name `Pod`. */
function placeOf({ name }: StructType): { readonly directory: string; readonly name: string } {
  const dot = name.indexOf('.', name.indexOf('/'));
  return { directory: name.slice(0, dot), name: name.slice(dot + 1) };
}

/** The API version and kind of objects, by struct. */
const typeMetaByStruct: ReadonlyMap<string, Pick<Kind, 'apiVersion' | 'kind'>> = new Map(
  groupVersionDirectories.flatMap((directory) =>
    kindsOf(directory).flatMap(({ type, listType, apiVersion, kind }) => [
      [type.name, { apiVersion, kind }] as const,
      [listType.name, { apiVersion, kind: `${kind}List` }] as const,
    ]),
  ),
);

class ModuleText {
  readonly #directory: string;
  readonly #descriptions: Descriptions;
  readonly #imported = new Set<string>();

  constructor(directory: string, descriptions: Descriptions) {
    this.#directory = directory;
    this.#descriptions = descriptions;
  }

  of(structs: readonly StructType[]): string {
    const interfaces = structs.map((struct) => this.#interface(struct));
    const imports = [...this.#imported]
      .sort()
      .map(
        (directory) =>
          `import type * as ${aliasOf(directory)} from '${pathBetween(this.#directory, directory)}';\n`,
      );
    const said = interfaces.some((text) => text.includes('[required]'));
    const shared = said ? "import type { required } from '../index.js';\n" : '';
    return [shared + imports.join(''), ...interfaces].filter((part) => part !== '').join('\n');
  }

  #interface(struct: StructType): string {
    const described = this.#descriptions[definitionName(struct.name)];
    const typeMeta = typeMetaByStruct.get(struct.name);
    const members = shapeOf(struct).members.map(({ name, field }) => {
      const literal = name === 'apiVersion' || name === 'kind' ? typeMeta?.[name] : undefined;
      const type = literal === undefined ? this.#memberType(field) : quoted(literal);
      const mark = literal !== undefined || isAlwaysThere(field) ? '' : '?';
      return `${comment(described?.[name], '  ')}  ${memberName(name)}${mark}: ${type};\n`;
    });
    const names = requiredOf(struct);
    if (names.length > 0) members.push(`  readonly [required]?: ${names.map(quoted).join(' | ')};\n`);
    return `${comment(described?.[''], '')}export interface ${placeOf(struct).name} {\n${members.join('')}}\n`;
  }

  #memberType(field: Field): string {
    const type = this.#type(field.type);
    return field.presence === 'nullable' ? `${type} | null` : type;
  }

  #type(type: Type): string {
    const actual = resolved(type);
    switch (actual.form) {
      case 'struct':
        return this.#reference(actual);
      case 'list': {
        const element = this.#type(actual.element);
        return element.includes(' ') ? `(${element})[]` : `${element}[]`;
      }
      case 'map':
        return `Record<string, ${this.#type(actual.value)}>`;
      case 'scalar':
        return actual.values === undefined
          ? scalarTypes[actual.scalar]
          : actual.values.map(quoted).join(' | ');
    }
  }

  #reference(struct: StructType): string {
    const { directory, name } = placeOf(struct);
    if (directory === this.#directory) return name;
    this.#imported.add(directory);
    return `${aliasOf(directory)}.${name}`;
  }
}

/** As in the static types of the sources: see `Presence`. */
const isAlwaysThere = ({ presence, type }: Field): boolean =>
  presence === 'always' || (presence === 'optional' && resolved(type).form === 'struct');

/** By struct: what a client must say. Empty while it is being found out, as a struct may be part of itself. */
const requiredNames = new Map<StructType, readonly string[]>();

function requiredOf(struct: StructType): readonly string[] {
  const known = requiredNames.get(struct);
  if (known !== undefined) return known;
  requiredNames.set(struct, []);
  const isRoot = typeMetaByStruct.has(struct.name);
  const names = shapeOf(struct)
    .members.filter(({ name, field }) => (isRoot ? mustRootSay(name, field) : mustSay(field)))
    .map(({ name }) => name);
  requiredNames.set(struct, names);
  return names;
}

const mustRootSay = (name: string, field: Field): boolean =>
  name === 'apiVersion' || name === 'kind' || name === 'metadata' || (name !== 'status' && mustSay(field));

/** A struct that is written even when nobody says it lacks what is required of it. */
function mustSay(field: Field): boolean {
  if (field.default !== undefined) return false;
  if (field.required === true) return true;
  const type = resolved(field.type);
  return type.form === 'struct' && isAlwaysThere(field) && requiredOf(type).length > 0;
}

const scalarTypes: Readonly<Record<ScalarName, string>> = {
  string: 'string',
  bool: 'boolean',
  int32: 'number',
  int64: 'number',
  float64: 'number',
  bytes: 'string',
  quantity: 'string',
  intOrString: 'number | string',
  time: 'string',
  microTime: 'string',
  duration: 'string',
  rawExtension: 'unknown',
  fieldsV1: 'unknown',
  any: 'unknown',
};

const quoted = (text: string): string => `'${text}'`;
const memberName = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name));
const aliasOf = (directory: string): string => directory.replace('/', '_');
const pathBetween = (from: string, to: string): string => {
  const [fromGroup] = from.split('/');
  const [toGroup, version] = to.split('/');
  return fromGroup === toGroup ? `./${version}.js` : `../${toGroup}/${version}.js`;
};

function comment(text: string | undefined, indent: string): string {
  if (!text) return '';
  const lines = text.replaceAll('*/', '*\\/').split('\n');
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join('\n')}\n${indent} */\n`;
}
