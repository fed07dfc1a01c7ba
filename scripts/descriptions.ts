/**
 * The descriptions of types and fields, which OpenAPI and `kubectl explain` show: {"io.k8s.api.core.v1.Container":
 * {"": "…", "args": "…"}}. They are read from the doc comments of the npm package @kubernetes/client-node when
 * the package is built, and never committed. Fields that lead to a struct have none there.
 */

import { readdirSync, readFileSync } from 'node:fs';
import { definitionName } from '@coxswain/schema/openapi/names.ts';
import { shapeOf } from '@coxswain/schema/shape.ts';
import { resolved } from '@coxswain/schema';
import type { StructType, Type } from '@coxswain/schema';
import { withParagraphs } from './paragraphs.ts';
import { groupVersionFolders, kindsOf } from '../packages/api/src/group-versions.ts';

type Descriptions = Record<string, string>;

const models = new URL('../node_modules/@kubernetes/client-node/dist/gen/models/', import.meta.url);

export function describedTypes(): Record<string, Descriptions> {
  const known = new Set(
    readdirSync(models)
      .filter((file) => file.endsWith('.d.ts'))
      .map((file) => file.slice(0, -5)),
  );
  const result: Record<string, Descriptions> = {};
  for (const struct of allStructs()) {
    const model = modelOf(struct.name, known);
    if (model === undefined) continue;
    const described = descriptionsOf(model);
    result[definitionName(struct.name)] = struct.name.startsWith('meta/')
      ? withParagraphs(described)
      : described;
  }
  return result;
}

/** Where several groups have a type of one name, the class has the group in front. */
function modelOf(structName: string, known: ReadonlySet<string>): string | undefined {
  const [, folder = '', version = '', name = ''] = /^(.*)\/(.*)\.(.*)$/.exec(structName) ?? [];
  const short = `${capitalized(version)}${name}`;
  return [`${capitalized(folder)}${short}`, short].find((candidate) => known.has(candidate));
}

function descriptionsOf(model: string): Descriptions {
  const declarations = readFileSync(new URL(`${model}.d.ts`, models), 'utf8');
  const baseNames = baseNamesOf(readFileSync(new URL(`${model}.js`, models), 'utf8'));
  const descriptions: Descriptions = {};
  for (const [, comment = '', , field] of declarations.matchAll(
    /\/\*\*\n((?:\s*\*(?!\/).*\n)*)\s*\*\/\n(export declare class|\s*'([^']+)'\??:)/g,
  )) {
    descriptions[field === undefined ? '' : (baseNames.get(field) ?? field)] = textOf(comment);
  }
  return descriptions;
}

/** The names in JSON of members that TypeScript had to call otherwise. */
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

function allStructs(): ReadonlySet<StructType> {
  const structs = new Set<StructType>();
  for (const folder of groupVersionFolders) {
    for (const kind of kindsOf(folder)) {
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
