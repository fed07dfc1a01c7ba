/** Discovery: two requests if the server supports aggregated discovery, otherwise one per group. */

import { isStatusError } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import type { RestClient } from '../rest/rest-client.ts';
import type { ApiResource, Discovered } from './discovered.ts';
import { resourcesOf, type ApiGroup, type ApiResourceEntry } from './resource-lists.ts';

/**
 * Queries what a server serves.
 * @example
 * const { resources, failures } = await client.discovery.discover();
 * client.discovery.invalidate(); // a definition was added
 */
export interface DiscoveryClient {
  /** Cached until {@link invalidate}. */
  discover(): Promise<Discovered>;
  /** Makes the next {@link discover} query the server again. */
  invalidate(): void;
  /** Whether all results were fetched by this client. */
  readonly isFresh: boolean;
}

/** The default timeout of a request, which is also sent to the server. */
export const discoveryTimeoutMs = 32_000;

/** Options of {@link discoveryClient}. */
export interface DiscoveryOptions {
  readonly timeoutMs?: number;
}

/** @internal */
export const aggregatedDiscoveryAccept = [
  'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList',
  'application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList',
  'application/json',
].join(',');

/**
 * Queries the server with two requests if it supports aggregated discovery, otherwise with one per group.
 * @example
 * const { resources } = await discoveryClient(client.rest, { timeoutMs: 5000 }).discover();
 */
export function discoveryClient(rest: RestClient, options: DiscoveryOptions = {}): DiscoveryClient {
  let known: Promise<Discovered> | undefined;
  const invalidate = () => (known = undefined);
  return {
    discover() {
      if (known === undefined) {
        const asking = discover(rest, options);
        known = asking;
        // Failures are not cached.
        asking.catch(() => known === asking && invalidate());
      }
      return known;
    },
    invalidate: () => void invalidate(),
    isFresh: true,
  };
}

async function discover(rest: RestClient, options: DiscoveryOptions): Promise<Discovered> {
  const core = await discoverRoot(rest, '/api', options);
  const groups = await discoverRoot(rest, '/apis', options);
  return {
    resources: [...core.resources, ...groups.resources],
    failures: [...core.failures, ...groups.failures],
  };
}

async function discoverRoot(rest: RestClient, path: string, options: DiscoveryOptions): Promise<Discovered> {
  let root: DiscoveryRoot;
  try {
    root = await rest.request<DiscoveryRoot>({
      verb: 'GET',
      path,
      accept: aggregatedDiscoveryAccept,
      ...options,
    });
  } catch (error) {
    // The server may lack the core group, or have nothing else.
    if (isStatusError(error) && (error.code === 404 || error.code === 403))
      return { resources: [], failures: [] };
    throw error;
  }
  if (root.kind === 'APIGroupDiscoveryList') return fromAggregated(root.items ?? []);
  const groupVersions =
    root.kind === 'APIVersions'
      ? (root.versions ?? [])
      : (root.groups ?? []).flatMap((group) => preferredFirst(group).map((version) => version.groupVersion));
  return fromLists(rest, groupVersions, options);
}

interface DiscoveryRoot {
  readonly kind?: string;
  readonly items?: readonly AggregatedGroup[];
  readonly versions?: readonly string[];
  readonly groups?: readonly ApiGroup[];
}

interface AggregatedGroup {
  readonly metadata?: { readonly name?: string };
  readonly versions?: readonly {
    readonly version: string;
    readonly freshness?: string;
    readonly resources?: readonly AggregatedResource[];
  }[];
}

interface AggregatedResource {
  readonly resource: string;
  readonly responseKind?: { readonly group?: string; readonly version?: string; readonly kind?: string };
  readonly scope?: string;
  readonly singularResource?: string;
  readonly verbs?: readonly string[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly subresources?: readonly {
    readonly subresource: string;
    readonly responseKind?: { readonly group?: string; readonly version?: string; readonly kind?: string };
    readonly verbs?: readonly string[];
  }[];
}

function fromAggregated(groups: readonly AggregatedGroup[]): Discovered {
  const resources: ApiResource[] = [];
  const failures: Discovered['failures'][number][] = [];
  for (const { metadata, versions = [] } of groups) {
    const group = metadata?.name ?? '';
    for (const { version, freshness, resources: served = [] } of versions) {
      if (freshness === 'Stale') {
        failures.push({
          groupVersion: `${group}/${version}`,
          message: `stale GroupVersion discovery: ${group}/${version}`,
        });
        continue;
      }
      for (const resource of served) resources.push(aggregatedResource(group, version, resource));
    }
  }
  return { resources, failures };
}

function aggregatedResource(group: string, version: string, found: AggregatedResource): ApiResource {
  return {
    group,
    version,
    resource: found.resource,
    singular: found.singularResource ?? '',
    kind: found.responseKind?.kind ?? '',
    kindGroup: found.responseKind?.group || group,
    kindVersion: found.responseKind?.version || version,
    namespaced: found.scope === 'Namespaced',
    verbs: found.verbs ?? [],
    shortNames: found.shortNames ?? [],
    categories: found.categories ?? [],
    subresources: (found.subresources ?? []).map(({ subresource, verbs = [], responseKind: of = {} }) => ({
      name: subresource,
      verbs,
      ...(of.kind ? { kind: of.kind } : {}),
      ...(of.group ? { kindGroup: of.group } : {}),
      ...(of.version ? { kindVersion: of.version } : {}),
    })),
  };
}

const preferredFirst = ({ versions, preferredVersion }: ApiGroup) =>
  [...versions].sort(
    (a, b) =>
      Number(b.groupVersion === preferredVersion?.groupVersion) -
      Number(a.groupVersion === preferredVersion?.groupVersion),
  );

async function fromLists(
  rest: RestClient,
  groupVersions: readonly string[],
  options: DiscoveryOptions,
): Promise<Discovered> {
  const failures: Discovered['failures'][number][] = [];
  const lists = await Promise.all(
    groupVersions.map(async (groupVersion) => {
      const path = groupVersion.includes('/') ? `/apis/${groupVersion}` : `/api/${groupVersion}`;
      try {
        const list = await rest.request<{ resources?: readonly ApiResourceEntry[] }>({
          verb: 'GET',
          path,
          ...options,
        });
        return resourcesOf(groupVersion, list.resources ?? []);
      } catch (error) {
        failures.push({ groupVersion, message: messageOf(error) });
        return [];
      }
    }),
  );
  return { resources: lists.flat(), failures };
}
