import { goQuote } from '@coxswain/apimachinery/go-quote.ts';
import { checkPathSegment } from '@coxswain/apimachinery/names.ts';
import type { Discovered } from '@coxswain/client/discovery/discovered.ts';

/** A kind and its resource. */
export interface ResourceMapping {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** Plural: `deployments` */
  readonly resource: string;
  readonly singular: string;
  readonly namespaced: boolean;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly verbs: readonly string[];
}

export interface ResourceMapper {
  /** Accepts `po`, `deployments.apps`, `deployments.v1.apps`, `Deployment`. */
  forArgument(argument: string): Promise<ResourceMapping>;
  /** Finds a resource by name, as {@link forArgument} but never a kind. @throws NoResourceMatch */
  forResource(argument: string): Promise<ResourceMapping>;
  /** @throws NoKindMatch */
  forKind(group: string, kind: string, version?: string): Promise<ResourceMapping>;
  /** Every resource, in the server's order of preference. */
  all(): Promise<readonly ResourceMapping[]>;
  /** The resources of a category like `all`; undefined if there is no such category. */
  inCategory(name: string): Promise<readonly ResourceMapping[] | undefined>;
}

/** The results of discovery, and the mapper based on them. */
export interface DiscoveredMapper extends ResourceMapper {
  discover(): Promise<Discovered>;
  /** Discards the results, so that discovery is repeated. */
  invalidate(): void;
}

export const groupVersionOf = ({ group, version }: Pick<ResourceMapping, 'group' | 'version'>): string =>
  group === '' ? version : `${group}/${version}`;

/** `deployments.apps`, `pods`: the form in messages. */
export const groupResourceOf = ({ group, resource }: Pick<ResourceMapping, 'group' | 'resource'>): string =>
  group === '' ? resource : `${resource}.${group}`;

export const groupKindOf = ({ group, kind }: Pick<ResourceMapping, 'group' | 'kind'>): string =>
  group === '' ? kind : `${kind}.${group}`;

/** Like {@link resourcePath}, of one object: without a name, the path would be that of all of them. */
export function objectPath(
  mapping: Parameters<typeof resourcePath>[0],
  namespace: string,
  name: string,
  subresource = '',
): string {
  if (name === '') throw new Error('resource name may not be empty');
  return resourcePath(mapping, namespace, name, subresource);
}

/**
 * `/apis/apps/v1/namespaces/default/deployments/web/status`
 *
 * @throws Error for names that cannot be part of a path
 */
export function resourcePath(
  mapping: Pick<ResourceMapping, 'group' | 'version' | 'resource' | 'namespaced'>,
  namespace: string,
  name = '',
  subresource = '',
): string {
  const group = mapping.group === '' ? '/api' : `/apis/${mapping.group}`;
  // Without validation, objects in files may lack it: the server then reports that the path doesn't exist.
  const root = mapping.version === '' ? group : `${group}/${mapping.version}`;
  const within = mapping.namespaced && namespace !== '' ? `/namespaces/${encodeURIComponent(namespace)}` : '';
  for (const [what, segment] of [
    ['namespace', namespace],
    ['resource name', name],
    ['subresource', subresource],
  ] as const) {
    const problems = checkPathSegment(segment);
    if (problems.length > 0) throw new Error(`invalid ${what} ${goQuote(segment)}: [${problems.join(' ')}]`);
  }
  const one = name === '' ? '' : `/${encodeURIComponent(name)}`;
  return `${root}${within}/${mapping.resource}${one}${subresource === '' ? '' : `/${subresource}`}`;
}

/** What is needed to create objects of a kind. */
export interface CreateTarget {
  readonly apiVersion: string;
  readonly kind: string;
  readonly resource: string;
  readonly namespaced: boolean;
}

export const podTarget = {
  apiVersion: 'v1',
  kind: 'Pod',
  resource: 'pods',
  namespaced: true,
} as const satisfies CreateTarget;

export function mappingOfTarget(target: CreateTarget): ResourceMapping {
  const [group, version] = target.apiVersion.includes('/')
    ? target.apiVersion.split('/')
    : ['', target.apiVersion];
  return {
    group: group ?? '',
    version: version ?? '',
    kind: target.kind,
    resource: target.resource,
    singular: target.kind.toLowerCase(),
    namespaced: target.namespaced,
    shortNames: [],
    categories: [],
    verbs: [],
  };
}

export const podMapping = mappingOfTarget(podTarget);
