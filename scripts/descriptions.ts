/**
 * The descriptions of types and fields, which OpenAPI and `kubectl explain` show: {"io.k8s.api.core.v1.Container":
 * {"": "…", "args": "…"}}. They are read from the doc comments of npm packages when the package is built, and never
 * committed: @kubernetes/client-node knows all of this version but fields that lead to a struct, and where lines end;
 * kubernetes-types knows these of an older one. What neither has is told by another version of the type, or by the
 * struct that the field leads to.
 */

import { readdirSync, readFileSync } from 'node:fs';
import { definitionName, quantityName, rawExtensionName } from '@coxswain/schema/openapi/names.ts';
import { shapeOf } from '@coxswain/schema/shape.ts';
import { resolved, type StructType, type Type } from '@coxswain/schema';
import { withParagraphs } from './paragraphs.ts';
import { referenceDescriptions, type Descriptions } from './reference-descriptions.ts';
import { groupVersionDirectories, kindsOf } from '../packages/api/src/group-versions.ts';

const models = new URL('../node_modules/@kubernetes/client-node/dist/gen/models/', import.meta.url);

export function describedTypes(): Record<string, Descriptions> {
  const known = new Set(
    readdirSync(models)
      .filter((file) => file.endsWith('.d.ts'))
      .map((file) => file.slice(0, -5)),
  );
  const structs = [...allStructs()];
  const own = new Map(structs.map((struct) => [struct.name, ownDescriptions(struct.name, known)]));
  return {
    ...Object.fromEntries(
      Object.entries(scalars).map(([definition, name]) => [definition, referenceDescriptions(name)] as const),
    ),
    ...Object.fromEntries(
      structs.map((struct) => [definitionName(struct.name), completed(struct, own)] as const),
    ),
  };
}

/** Definitions that are not structs here. */
const scalars: Readonly<Record<string, string>> = {
  [quantityName]: 'api/resource.Quantity',
  [rawExtensionName]: 'runtime.RawExtension',
  ...Object.fromEntries(
    [
      'meta/v1.FieldsV1',
      'meta/v1.MicroTime',
      'meta/v1.Patch',
      'meta/v1.Time',
      'meta/v1.WatchEvent',
      'apiextensions/v1.JSON',
      'apiextensions/v1.JSONSchemaPropsOrArray',
      'apiextensions/v1.JSONSchemaPropsOrBool',
      'apiextensions/v1.JSONSchemaPropsOrStringArray',
    ].map((name) => [definitionName(name), name] as const),
  ),
};

/** Fields of these types have their description in client-node, instead of their own. */
const ofScalar = /^(IntOrString|MicroTime) is /;

/** Of this version, with the lines of the older one where they say the same. */
function ownDescriptions(structName: string, known: ReadonlySet<string>): Descriptions {
  const model = modelOf(structName, known);
  const read = model === undefined ? {} : descriptionsOf(model);
  const described = structName.startsWith('meta/') ? withParagraphs(read) : read;
  const reference = referenceDescriptions(structName);
  const lines = Object.entries(described).map(([name, text]) => {
    const older = reference[name];
    const isOlderBetter = older !== undefined && (words(older) === words(text) || ofScalar.test(text));
    return [name, isOlderBetter ? older : text];
  });
  return { ...reference, ...(Object.fromEntries(lines) as Descriptions) };
}

const words = (text: string): string => text.replace(/\s+/g, ' ').trim();

type Known = ReadonlyMap<string, Descriptions>;

function completed(struct: StructType, known: Known): Descriptions {
  const own = known.get(struct.name) ?? {};
  const siblings = siblingsOf(struct.name, known);
  const names = ['', ...shapeOf(struct).members.map(({ name }) => name)];
  const missing = names
    .filter((name) => own[name] === undefined)
    .map((name) => [name, siblings.find((sibling) => sibling[name])?.[name] ?? ofTarget(struct, name, known)])
    .filter(([, text]) => text !== undefined);
  return { ...own, ...(Object.fromEntries(missing) as Descriptions) };
}

/** The same type in other versions of its group. */
function siblingsOf(structName: string, known: Known): readonly Descriptions[] {
  const [, directory, name] = /^(.*)\/.*\.(.*)$/.exec(structName) ?? [];
  return [...known.keys()]
    .filter(
      (other) => other !== structName && other.startsWith(`${directory}/`) && other.endsWith(`.${name}`),
    )
    .map((other) => known.get(other)!);
}

/** What all kinds say of their metadata; of other fields, what the struct is that they lead to. */
function ofTarget(struct: StructType, name: string, known: Known): string | undefined {
  const field = shapeOf(struct).members.find((member) => member.name === name)?.field;
  const target = field === undefined ? undefined : resolved(field.type);
  if (target?.form !== 'struct') return undefined;
  if (target.name === 'meta/v1.ObjectMeta') return known.get('core/v1.Pod')?.['metadata'];
  if (target.name === 'meta/v1.ListMeta') return known.get('core/v1.PodList')?.['metadata'];
  return known.get(target.name)?.[''];
}

/** If several groups have a type of the same name, the class name is prefixed with the group. */
function modelOf(structName: string, known: ReadonlySet<string>): string | undefined {
  const [, directory = '', version = '', name = ''] = /^(.*)\/(.*)\.(.*)$/.exec(structName) ?? [];
  const short = `${capitalized(version)}${name}`;
  return [`${capitalized(directory)}${short}`, short].find((candidate) => known.has(candidate));
}

function descriptionsOf(model: string): Descriptions {
  const declarations = readFileSync(new URL(`${model}.d.ts`, models), 'utf8');
  const baseNames = baseNamesOf(readFileSync(new URL(`${model}.js`, models), 'utf8'));
  const descriptions: Record<string, string> = {};
  for (const [, comment = '', , field] of declarations.matchAll(
    /\/\*\*\n((?:\s*\*(?!\/).*\n)*)\s*\*\/\n(export declare class|\s*'([^']+)'\??:)/g,
  )) {
    descriptions[field === undefined ? '' : (baseNames.get(field) ?? field)] = textOf(comment);
  }
  return descriptions;
}

/** The JSON names of members that have a different name in TypeScript. */
function baseNamesOf(source: string): ReadonlyMap<string, string> {
  return new Map(
    [...source.matchAll(/"name": "([^"]+)",\s*"baseName": "([^"]+)"/g)].map(([, name, base]) => [
      name!,
      base!,
    ]),
  );
}

function textOf(comment: string): string {
  return comment
    .split('\n')
    .map((line) => line.replace(/^\s*\* ?/, ''))
    .join('\n')
    .trim()
    .replace(/\\(["'\\])/g, '$1');
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export function allStructs(): ReadonlySet<StructType> {
  const structs = new Set<StructType>();
  for (const directory of groupVersionDirectories) {
    for (const kind of kindsOf(directory)) {
      collect(kind.type, structs);
      collect(kind.listType, structs);
    }
  }
  return structs;
}

function collect(type: Type, structs: Set<StructType>): void {
  const actual = resolved(type);
  if (actual.form === 'list') collect(actual.element, structs);
  else if (actual.form === 'map') collect(actual.value, structs);
  else if (actual.form === 'struct' && !structs.has(actual)) {
    structs.add(actual);
    for (const { field } of shapeOf(actual).members) collect(field.type, structs);
  }
}
