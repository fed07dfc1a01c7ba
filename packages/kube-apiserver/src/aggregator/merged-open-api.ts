/**
 * Merges the OpenAPI v2 documents of extension servers into the server's own: the paths of each group version and what
 * these refer to; a definition whose name is taken by a different one is renamed.
 */
import { deepEqual } from '@coxswain/apimachinery';

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

export const mergedOpenApi = (own: Json, remotes: readonly RemoteDocument[]): Json =>
  remotes.reduce((merged, remote) => withDocument(merged, reduced(remote)), own);

/** Only the paths of the group version; what only other paths referred to is omitted. */
function reduced({ group, version, document }: RemoteDocument): Json {
  const prefix = `/apis/${group}/${version}/`;
  const paths = membersOf(document, 'paths').filter(([path]) => path.startsWith(prefix));
  return withPaths(document, paths);
}

function withPaths(document: Json, paths: readonly (readonly [string, unknown])[]): Json {
  const before = referred(document, document['paths']);
  const reducedPaths = Object.fromEntries(paths);
  const after = referred(document, reducedPaths);
  const keep = (member: Shared) =>
    Object.fromEntries(
      membersOf(document, member).filter(([name]) => {
        const reference = referenceTo(member, name);
        return after.has(reference) || !before.has(reference);
      }),
    );
  return {
    ...document,
    paths: reducedPaths,
    definitions: keep('definitions'),
    parameters: keep('parameters'),
  };
}

function withDocument(own: Json, remote: Json): Json {
  const known = new Set(membersOf(own, 'paths').map(([path]) => path));
  const added = membersOf(remote, 'paths').filter(([path]) => !known.has(path));
  if (added.length === 0) return own;
  const source = renamed(withPaths(remote, added), own);
  const merged: Record<string, unknown> = { ...own };
  for (const member of ['paths', ...shared] as const) {
    const members = {
      ...Object.fromEntries(membersOf(source, member)),
      ...Object.fromEntries(membersOf(own, member)),
    };
    if (own[member] !== undefined || Object.keys(members).length > 0) merged[member] = members;
  }
  return merged;
}

/** Renames definitions that differ from the server's own of the same name: `Thing_v2`. */
function renamed(source: Json, own: Json): Json {
  const renames = new Map<string, string>();
  const byMember = shared.map((member) => {
    const taken = (own[member] ?? {}) as Json;
    const all = (source[member] ?? {}) as Json;
    const members = Object.entries(all).map(([name, value]): readonly [string, unknown] => {
      const free = freeName(name, value, taken, all);
      if (free !== name) renames.set(referenceTo(member, name), referenceTo(member, free));
      return [free, value];
    });
    return [member, Object.fromEntries(members)] as const;
  });
  const whole = { ...source, ...Object.fromEntries(byMember) };
  return renames.size === 0 ? whole : (withReferences(whole, renames) as Json);
}

function freeName(name: string, value: unknown, taken: Json, own: Json): string {
  const fits = (candidate: string) =>
    taken[candidate] === undefined || isSameDefinition(taken[candidate], value);
  if (fits(name)) return name;
  let number = 2;
  while (!fits(`${name}_v${number}`) || own[`${name}_v${number}`] !== undefined) number += 1;
  return `${name}_v${number}`;
}

const isSameDefinition = (a: unknown, b: unknown): boolean =>
  deepEqual({ ...(a as Json), [gvk]: undefined }, { ...(b as Json), [gvk]: undefined });

/** All references reachable from `start`. */
function referred(document: Json, start: unknown): ReadonlySet<string> {
  const found = new Set<string>();
  const waiting: unknown[] = [start];
  while (waiting.length > 0) {
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

const membersOf = (document: Json, member: string): readonly (readonly [string, unknown])[] =>
  Object.entries((document[member] ?? {}) as Json);
