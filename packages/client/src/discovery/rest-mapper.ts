/** Maps the names used by users and manifests to resources. */

import { apiVersionOf, goQuote, type GroupKind, type GroupVersionKind } from '@coxswain/apimachinery';
import type { ApiResource, Discovered } from './discovered.ts';

/**
 * Maps names and kinds to resources.
 * @example
 * const mapper = restMapper(await client.discovery.discover());
 * mapper.resourceFor('deploy').resource; // 'deployments'
 * mapper.forKind({ group: 'apps', kind: 'Deployment' }, 'v1').namespaced; // true
 * mapper.category('all').map(({ resource }) => resource); // pods, services, …
 */
export interface RestMapper {
  /**
   * Returns the resource named by `arg`: plural, singular, short name or kind, optionally with `.group` or
   * `.version.group`.
   * @throws NoMatchError `the server doesn't have a resource type "x"`
   */
  resourceFor(arg: string): ApiResource;
  /**
   * Returns the resource of a kind, in the preferred version or the first served one of `versions`. @throws
   * NoMatchError
   */
  forKind(kind: GroupKind, ...versions: readonly string[]): ApiResource;
  /** Returns all resources of a category (`all`), each in its preferred version. */
  category(name: string): readonly ApiResource[];
}

/** The server has no such resource or kind. */
export class NoMatchError extends Error {
  override readonly name = 'NoMatchError';
}

/**
 * Creates a mapper from names used by people and manifests to resources, based on discovery.
 * @param discovered what the server serves
 * @param onWarning called if a short name is ambiguous
 * @example
 * const { group, version, resource } = restMapper(await client.discovery.discover()).resourceFor('po');
 */
export function restMapper({ resources }: Discovered, onWarning?: (text: string) => void): RestMapper {
  return {
    resourceFor(arg) {
      const found = findByArgument(resources, arg, onWarning);
      if (found !== undefined) return found;
      throw new NoMatchError(`the server doesn't have a resource type ${goQuote(arg.split('.')[0]!)}`);
    },
    forKind(kind, ...versions) {
      const found = findKind(resources, kind, versions);
      if (found !== undefined) return found;
      throw new NoMatchError(noKindText(kind, versions));
    },
    category: (name) => preferred(resources.filter((resource) => resource.categories.includes(name))),
  };
}

/**
 * `apps/v1, Kind=Deployment` as Go prints it.
 * @internal
 */
export const formatGroupVersionKind = (kind: GroupVersionKind): string =>
  `${apiVersionOf(kind)}, Kind=${kind.kind}`;

function findByArgument(
  resources: readonly ApiResource[],
  arg: string,
  onWarning: ((text: string) => void) | undefined,
): ApiResource | undefined {
  const [name = '', ...rest] = arg.split('.');
  if (rest.length > 1) {
    const [version, ...group] = rest;
    const exact = resources.filter((one) => one.version === version && one.group === group.join('.'));
    const found = byName(exact, name, onWarning);
    if (found !== undefined) return found;
  }
  const group = rest.join('.');
  const inGroup = group === '' ? resources : resources.filter((one) => one.group === group);
  return (
    byName(inGroup, name, onWarning) ??
    (group === ''
      ? undefined
      : byName(
          resources.filter((one) => one.group.startsWith(group)),
          name,
          onWarning,
        )) ??
    findKindArgument(resources, name, rest)
  );
}

/** Looks up a plural or singular name first, then a short name, for which the group with the highest priority wins. */
function byName(
  resources: readonly ApiResource[],
  name: string,
  onWarning: ((text: string) => void) | undefined,
): ApiResource | undefined {
  const lower = name.toLowerCase();
  const exact = resources.find((one) => one.resource === lower || one.singular === lower);
  if (exact !== undefined) return exact;
  const short = resources.filter((one) => one.shortNames.includes(lower));
  const [first] = short;
  const others = new Set(
    short.filter((one) => one.group !== first!.group).map((one) => `${one.resource}.${one.group}`),
  );
  for (const other of others) {
    onWarning?.(`short name ${goQuote(name)} could also match lower priority resource ${other}`);
  }
  return first;
}

/** As client-go's mapper, which also knows kinds in lower case. */
const isKind = (one: ApiResource, name: string): boolean =>
  one.kind === name || one.kind.toLowerCase() === name;

/** `Deployment`, `Deployment.apps`, `Deployment.v1.apps`, `deployment.apps` */
function findKindArgument(
  resources: readonly ApiResource[],
  kind: string,
  rest: readonly string[],
): ApiResource | undefined {
  const named = resources.filter((one) => isKind(one, kind) && one.kindGroup === one.group);
  if (rest.length === 0) return named[0];
  const [version, ...group] = rest;
  return (
    named.find((one) => one.version === version && one.group === group.join('.')) ??
    named.find((one) => one.group === rest.join('.'))
  );
}

function findKind(
  resources: readonly ApiResource[],
  kind: GroupKind,
  versions: readonly string[],
): ApiResource | undefined {
  const all = resources.filter((one) => isKind(one, kind.kind) && one.group === kind.group);
  if (versions.length === 0) return all[0];
  for (const version of versions) {
    const found = all.find((one) => one.version === version);
    if (found !== undefined) return found;
  }
  return undefined;
}

function noKindText({ group, kind }: GroupKind, versions: readonly string[]): string {
  const searched = [...new Set(versions.map((version) => apiVersionOf({ group, version })))].sort();
  if (searched.length === 0) return `no matches for kind ${goQuote(kind)} in group ${goQuote(group)}`;
  if (searched.length === 1)
    return `no matches for kind ${goQuote(kind)} in version ${goQuote(searched[0]!)}`;
  return `no matches for kind ${goQuote(kind)} in versions [${searched.map(goQuote).join(' ')}]`;
}

function preferred(resources: readonly ApiResource[]): ApiResource[] {
  const first = new Map<string, ApiResource>();
  for (const one of resources) {
    const key = `${one.group}/${one.resource}`;
    if (!first.has(key)) first.set(key, one);
  }
  return [...first.values()];
}
