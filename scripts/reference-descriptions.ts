/**
 * The descriptions of types and fields as Kubernetes 1.30 had them, out of the doc comments of the npm package
 * kubernetes-types. It has what @kubernetes/client-node lacks: fields that lead to a struct, and the ends of lines.
 */

import { existsSync, readFileSync } from 'node:fs';

export type Descriptions = Readonly<Record<string, string>>;

const directory = new URL('../node_modules/kubernetes-types/', import.meta.url);
const described =
  /\/\*\*([^]*?)\*\/\s*(?:export (?:declare )?(?:interface|type) (\w+)|(?:readonly )?"?([\w$-]+)"?\??:)/g;

const read = new Map<string, ReadonlyMap<string, Descriptions>>();

/** `apps/v1.Deployment`; the empty name is the type's own. */
export function referenceDescriptions(structName: string): Descriptions {
  const [groupVersion = '', name = ''] = structName.split('.');
  if (!read.has(groupVersion)) read.set(groupVersion, typesOf(groupVersion));
  return read.get(groupVersion)?.get(name) ?? {};
}

function typesOf(groupVersion: string): ReadonlyMap<string, Descriptions> {
  const file = new URL(`${groupVersion}.d.ts`, directory);
  const types = new Map<string, Record<string, string>>();
  if (!existsSync(file)) return types;
  let members: Record<string, string> = {};
  for (const [, comment = '', type, member] of readFileSync(file, 'utf8').matchAll(described)) {
    if (type !== undefined) types.set(type, (members = {}));
    members[member ?? ''] = textOf(comment);
  }
  return types;
}

const textOf = (comment: string): string =>
  comment
    .split('\n')
    .map((line) => line.replace(/^\s*\* ?/, '').trimEnd())
    .join('\n')
    .trim()
    .replaceAll('*\\/', '*/');
