/**
 * One API server of a delegation chain: its groups, its non-resource paths, and the server that it delegates other
 * requests to. The outermost server applies the filters; all share one set.
 */
import { runStepInTurn } from '@coxswain/apimachinery';
import type { ApiGroup } from './api-group.ts';
import { filterChain, type ChainParts } from './filters/chain.ts';
import { composeFilters, type Filter, type Next } from './filters/filter.ts';
import { ApiRequest, type IncomingRequest } from './http/api-request.ts';
import { textResponse, type ApiResponse } from './http/api-response.ts';
import { withFilterHeaders } from './http/merge-headers.ts';
import { installGroup, type InstallOptions } from './installer.ts';
import { DiscoveryDocuments } from './discovery/documents.ts';
import { resourceList } from './discovery/resource-list.ts';
import { dispatcher } from './routing/dispatch.ts';
import { notFound } from './routing/not-found.ts';
import { PlainRoutes } from './routing/plain-routes.ts';
import type { RouteTable } from './routing/resource-routes.ts';

/** The next server of a chain, which answers what the previous one doesn't serve. */
export interface DelegationTarget {
  readonly name: string;
  handle: Next;
  /** All non-resource paths from here on, for the index. */
  listedPaths(): readonly string[];
}

const emptyDelegate: DelegationTarget = { name: 'not-found', handle: notFound, listedPaths: () => [] };

export interface GenericApiServerOptions extends InstallOptions {
  /** `kube-apiserver`, `apiextensions`, `aggregator`; for `routes`. */
  readonly name: string;
  readonly delegate?: DelegationTarget;
  /** The registry of groups by name, shared with whoever needs to know what is served. */
  readonly groups?: Map<string, ApiGroup>;
}

export class GenericApiServer implements DelegationTarget {
  readonly name: string;
  readonly plain = new PlainRoutes();
  readonly routes: RouteTable = new Map();
  readonly discovery: DiscoveryDocuments;
  readonly delegate: DelegationTarget;
  readonly handle: Next;
  readonly #options: InstallOptions;
  readonly #groups: Map<string, ApiGroup>;

  constructor(options: GenericApiServerOptions) {
    this.name = options.name;
    this.#options = options;
    this.#groups = options.groups ?? new Map();
    this.delegate = options.delegate ?? emptyDelegate;
    this.discovery = new DiscoveryDocuments(this.plain, options.services);
    const dispatch = dispatcher({
      table: this.routes,
      plain: this.plain,
      services: options.services,
      hasGroup: (name) => isRouted(this.#groups.get(name)),
      delegate: (request) => this.delegate.handle(request),
    });
    const step = `server/${options.name}`;
    this.handle = (request) =>
      request.observer === undefined
        ? dispatch(request)
        : runStepInTurn(request.observer, step, () => dispatch(request), undefined, dispatch);
  }

  get groups(): readonly ApiGroup[] {
    return [...this.#groups.values()];
  }

  /** @throws Error when a group version or the group's path is already taken */
  install(group: ApiGroup): void {
    installGroup(this.routes, group, this.#options);
    this.#groups.set(group.name, group);
    this.discovery.put(
      group,
      new Map(group.versions.map((version) => [version.version, () => resourceList(group, version)])),
    );
  }

  /** Removes or replaces a group; groups of custom resources come and go. */
  remove(groupName: string): void {
    const group = this.#groups.get(groupName);
    if (group === undefined) return;
    for (const { version } of group.versions) this.routes.delete(groupVersionOf(groupName, version));
    this.#groups.delete(groupName);
    this.discovery.remove(groupName);
  }

  listedPaths(): readonly string[] {
    return [...new Set([...this.plain.paths(), ...this.delegate.listedPaths()])].sort();
  }
}

/** Custom resources have no router that would refuse unknown paths below their group. */
const isRouted = (group: ApiGroup | undefined): boolean =>
  group !== undefined &&
  !group.versions.some(({ resources }) =>
    Object.values(resources).some(({ custom }) => custom !== undefined),
  );

const groupVersionOf = (group: string, version: string): string =>
  group === '' ? version : `${group}/${version}`;

/** A percent sign must be followed by two hexadecimal digits. */
const hasBadEncoding = (path: string): boolean => path.includes('%') && /%(?![0-9A-Fa-f]{2})/.test(path);

/** The entry point of transports: the filters around the outermost server of a chain. */
export interface ServedChain {
  readonly filters: readonly Filter[];
  serve(incoming: IncomingRequest): ApiResponse | Promise<ApiResponse>;
}

export function serveChain(outermost: DelegationTarget, parts: ChainParts): ServedChain {
  const filters = filterChain(parts);
  const handle = composeFilters(filters, (request) => outermost.handle(request));
  return {
    filters,
    serve(incoming) {
      if (hasBadEncoding(incoming.path)) return textResponse(400, '400 Bad Request');
      const request = new ApiRequest(incoming, incoming.observer ?? parts.observer);
      const answer = handle(request);
      const finish = (response: ApiResponse): ApiResponse => {
        request.observer?.note?.({ status: response.status });
        return withFilterHeaders(request, response);
      };
      return answer instanceof Promise ? answer.then(finish) : finish(answer);
    },
  };
}
