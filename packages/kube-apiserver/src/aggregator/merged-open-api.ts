/**
 * Makes fragments of the OpenAPI v2 documents of extension servers, to be merged with the server's own: the paths of
 * each group version and what these refer to; a definition whose name is taken by a different one is renamed.
 */
import { deepEqual } from '@coxswain/apimachinery';
import { partsPerStep, type Steps } from '@coxswain/apimachinery/work-in-steps.ts';
import { DocumentPart, type DocumentFragment } from '@coxswain/schema/openapi.ts';

type Json = Readonly<Record<string, unknown>>;

export interface RemoteDocument {
  readonly group: string;
  readonly version: string;
  readonly document: Json;
}

const gvk = 'x-kubernetes-group-version-kind';
/** The members that paths refer to. */
const shared = ['definitions', 'parameters'] as const;
type Shared = (typeof shared)[number];

/** Members of the documents before, by name. */
type Taken = Readonly<Record<keyof DocumentFragment, Map<string, DocumentPart>>>;

/** In the order of precedence, after the server's own; a document that adds no path has none. */
export function* remoteFragments(
  own: readonly DocumentFragment[],
  remotes: readonly RemoteDocument[],
): Steps<readonly DocumentFragment[]> {
  const taken: Taken = { paths: new Map(), definitions: new Map(), parameters: new Map() };
  for (const fragment of own) take(taken, fragment);
  const fragments: DocumentFragment[] = [];
  for (const remote of remotes) {
    const fragment = yield* fragmentOf(remote, taken);
    if (fragment === undefined) continue;
    take(taken, fragment);
    fragments.push(fragment);
  }
  return fragments;
}

function take(taken: Taken, fragment: DocumentFragment): void {
  for (const member of ['paths', ...shared] as const) {
    for (const part of fragment[member])
      if (!taken[member].has(part.name)) taken[member].set(part.name, part);
  }
}

/** Of the paths of the group version that are new; what only other paths refer to is omitted. */
function* fragmentOf(
  { group, version, document }: RemoteDocument,
  taken: Taken,
): Steps<DocumentFragment | undefined> {
  const prefix = `/apis/${group}/${version}/`;
  const isAdded = (path: string) => path.startsWith(prefix) && !taken.paths.has(path);
  const paths = membersOf(document, 'paths').filter(([path]) => isAdded(path));
  if (paths.length === 0) return undefined;
  const anywhere = yield* referred(document, document['paths']);
  const needed = yield* referred(document, Object.fromEntries(paths));
  const names: Record<Shared, Map<string, string>> = { definitions: new Map(), parameters: new Map() };
  const renames = new Map<string, string>();
  for (const member of shared) {
    for (const [name, value] of membersOf(document, member)) {
      const reference = referenceTo(member, name);
      if (anywhere.has(reference) && !needed.has(reference)) continue;
      const free = freeName(name, value, taken[member], document[member] as Json);
      if (free !== name) renames.set(reference, referenceTo(member, free));
      names[member].set(name, free);
      yield;
    }
  }
  const parts = function* (member: keyof DocumentFragment, names: Iterable<readonly [string, string]>) {
    const made: DocumentPart[] = [];
    for (const [name, free] of names) {
      const value = (document[member] as Json)[name];
      made.push(new DocumentPart(free, renames.size === 0 ? value : withReferences(value, renames)));
      yield;
    }
    return made;
  };
  return {
    paths: yield* parts(
      'paths',
      paths.map(([path]) => [path, path] as const),
    ),
    definitions: yield* parts('definitions', names.definitions),
    parameters: yield* parts('parameters', names.parameters),
  };
}

/** A definition that differs from the one of its name gets another one: `Thing_v2`. */
function freeName(name: string, value: unknown, taken: ReadonlyMap<string, DocumentPart>, own: Json): string {
  const fits = (candidate: string) => {
    const part = taken.get(candidate);
    return part === undefined || isSameDefinition(part.value(), value);
  };
  if (fits(name)) return name;
  let number = 2;
  while (!fits(`${name}_v${number}`) || own[`${name}_v${number}`] !== undefined) number += 1;
  return `${name}_v${number}`;
}

const isSameDefinition = (a: unknown, b: unknown): boolean =>
  deepEqual({ ...(a as Json), [gvk]: undefined }, { ...(b as Json), [gvk]: undefined });

/** All references reachable from `start`. */
function* referred(document: Json, start: unknown): Steps<ReadonlySet<string>> {
  const found = new Set<string>();
  const waiting: unknown[] = [start];
  for (let looks = 1; waiting.length > 0; looks++) {
    if (looks % partsPerStep === 0) yield;
    const value = waiting.pop();
    if (typeof value !== 'object' || value === null) continue;
    const reference = (value as Json)['$ref'];
    if (typeof reference === 'string' && !found.has(reference)) {
      found.add(reference);
      const [, member = '', name = ''] = reference.split('/');
      waiting.push((document[member] as Json | undefined)?.[name]);
    }
    for (const member of Object.values(value)) waiting.push(member);
  }
  return found;
}

function withReferences(value: unknown, renames: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((item) => withReferences(item, renames));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      name === '$ref' ? (renames.get(String(member)) ?? member) : withReferences(member, renames),
    ]),
  );
}

const referenceTo = (member: Shared, name: string): string => `#/${member}/${name}`;

/** Servers may send anything. */
const membersOf = (document: Json, member: string): readonly (readonly [string, unknown])[] =>
  Object.entries((document[member] ?? {}) as Json).filter(
    ([, value]) => typeof value === 'object' && value !== null,
  );
