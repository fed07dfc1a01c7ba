import type { Discovered } from '@coxswain/client/discovery/discovered.ts';

/** A kind and the resource that serves it. */
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
  /** `po`, `deployments.apps`, `deployments.v1.apps`, `Deployment`. */
  forArgument(argument: string): Promise<ResourceMapping>;
  /** A resource by name, as in {@link forArgument} but never a kind. @throws NoResourceMatch */
  forResource(argument: string): Promise<ResourceMapping>;
  /** @throws NoKindMatch */
  forKind(group: string, kind: string, version?: string): Promise<ResourceMapping>;
  /** Every resource, in the server's order of preference. */
  all(): Promise<readonly ResourceMapping[]>;
  /** The resources of a category like `all`; nothing when there is no such category. */
  inCategory(name: string): Promise<readonly ResourceMapping[] | undefined>;
}

/** What discovery told, and the mapper that follows from it. */
export interface DiscoveredMapper extends ResourceMapper {
  discover(): Promise<Discovered>;
  /** Discovery is asked anew from now on. */
  invalidate(): void;
}

export const groupVersionOf = ({ group, version }: Pick<ResourceMapping, 'group' | 'version'>): string =>
  group === '' ? version : `${group}/${version}`;

/** `deployments.apps`, `pods`: how messages name a resource. */
export const groupResourceOf = ({ group, resource }: Pick<ResourceMapping, 'group' | 'resource'>): string =>
  group === '' ? resource : `${resource}.${group}`;

export const groupKindOf = ({ group, kind }: Pick<ResourceMapping, 'group' | 'kind'>): string =>
  group === '' ? kind : `${kind}.${group}`;

/** `/apis/apps/v1/namespaces/default/deployments/web/status` */
export function resourcePath(
  mapping: Pick<ResourceMapping, 'group' | 'version' | 'resource' | 'namespaced'>,
  namespace: string,
  name = '',
  subresource = '',
): string {
  const group = mapping.group === '' ? '/api' : `/apis/${mapping.group}`;
  // Objects of files may lack it, when nobody asks for validation: the server then says that there is no such path.
  const root = mapping.version === '' ? group : `${group}/${mapping.version}`;
  const within = mapping.namespaced && namespace !== '' ? `/namespaces/${encodeURIComponent(namespace)}` : '';
  const one = name === '' ? '' : `/${encodeURIComponent(name)}`;
  return `${root}${within}/${mapping.resource}${one}${subresource === '' ? '' : `/${subresource}`}`;
}

/** What has to be known of a kind to create objects of it. */
export interface CreateTarget {
  readonly apiVersion: string;
  readonly kind: string;
  readonly resource: string;
  readonly namespaced: boolean;
}

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
