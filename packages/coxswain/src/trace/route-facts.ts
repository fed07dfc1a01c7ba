/** Describes how a path is handled, with the position of every function on the way. */

import type { APIServiceSpec, ServiceReference } from '@coxswain/api/apiregistration/v1/api-service-spec.ts';
import { filterChain } from '@coxswain/apiserver/filters/chain.ts';
import type { Filter } from '@coxswain/apiserver/filters/filter.ts';
import { jsonResponse } from '@coxswain/apiserver/http/api-response.ts';
import {
  describeRoute,
  describeRoutes,
  type DescribedRoute,
  type DescribedVerb,
} from '@coxswain/apiserver/routes.ts';
import type { RequestInfo } from '@coxswain/apiserver/request-info.ts';
import { systemUser, type KubeApiServer } from '@coxswain/kube-apiserver';
import { createServerChain } from '@coxswain/kube-apiserver/server-chain.ts';
import { plainName } from '@coxswain/trace/call-sites.ts';
import type { Places } from '@coxswain/trace/places.ts';
import type { Work } from '@coxswain/apimachinery';

export interface RouteFacts {
  readonly method: string;
  readonly path: string;
  readonly filters: readonly PlacedPart[];
  /** Where the list of filters is defined. */
  readonly filtersListed: string;
  /** The servers that were tried without success, and the one that answers. */
  readonly servers: readonly string[];
  readonly serversListed: string;
  readonly verb: string;
  readonly resource?: string;
  readonly kind?: string;
  readonly parts: readonly PlacedPart[];
  readonly storageKey?: string;
  /** The refusal that is returned instead: `404 page not found`. */
  readonly refusal?: string;
  readonly dryRun?: boolean;
}

export interface PlacedPart {
  readonly part: string;
  readonly does: string;
  readonly function: string;
  /** `packages/apiserver/src/handlers/create.ts:18` */
  readonly place: string;
}

export async function routeFacts(
  server: KubeApiServer,
  places: Places,
  method: string,
  path: string,
): Promise<RouteFacts> {
  const described = describeRoute(server.chain.aggregator, method, path);
  const placed = (part: string, does: string, work: Work): PlacedPart => ({
    part,
    does,
    function: plainName(work.name),
    place: placeOf(places, work),
  });
  const { answer, info } = described;
  const remote = answer.kind === 'resource' ? undefined : await extensionServer(server, info);
  const parts = answer.kind === 'resource' || answer.kind === 'path' ? answer.parts : [];
  return {
    method,
    path,
    filters: server.served.filters.map(({ step, handle }: Filter) => placed('filter', step, handle)),
    filtersListed: placeOf(places, filterChain),
    servers: remote === undefined ? [...described.passed, described.server] : [remote],
    serversListed: placeOf(places, createServerChain),
    verb: info.verb,
    ...resourceOf(described),
    parts: parts.map(({ part, does, work }) => placed(part, does, work)),
    ...(remote === undefined &&
      answer.kind === 'refused' && { refusal: `${answer.status} ${answer.message}` }),
    ...(remote === undefined && answer.kind === 'not-found' && { refusal: '404 page not found' }),
    ...(new URLSearchParams(path.split('?')[1]).has('dryRun') && { dryRun: true }),
  };
}

/** All routes of the servers of the chain, and the groups that the aggregator forwards to other servers. */
export async function allRoutes(server: KubeApiServer): Promise<readonly DescribedVerb[]> {
  const forwarded = (await apiServices(server)).flatMap(({ group, version, service }): DescribedVerb[] =>
    service === undefined
      ? []
      : [
          {
            path: `/apis/${group}/${version}`,
            method: '*',
            action: 'FORWARD',
            groupVersion: `${group}/${version}`,
            resource: '',
            kind: serviceText(service),
            store: '',
            storagePrefix: undefined,
          },
        ],
  );
  return [...describeRoutes(server.chain.aggregator), ...forwarded];
}

/** The server to which the aggregator forwards requests of a group, according to its APIService. */
async function extensionServer(server: KubeApiServer, info: RequestInfo): Promise<string | undefined> {
  if (!info.isResourceRequest || info.group === '') return undefined;
  const service = (await apiServices(server)).find(
    ({ group, version }) => group === info.group && version === info.version,
  )?.service;
  return service && `aggregator, which passes it on to ${serviceText(service)}`;
}

const serviceText = ({ namespace, name }: ServiceReference): string => `Service ${namespace}/${name}`;

async function apiServices(server: KubeApiServer): Promise<readonly APIServiceSpec[]> {
  const answer = await server
    .inProcess(systemUser, { structured: false })
    .send({ method: 'GET', path: '/apis/apiregistration.k8s.io/v1/apiservices', headers: {} });
  if (answer.status !== 200) return [];
  const { items } = JSON.parse(new TextDecoder().decode(await answer.bytes())) as {
    readonly items: readonly { readonly spec: APIServiceSpec }[];
  };
  return items.map(({ spec }) => spec);
}

function resourceOf({ answer }: DescribedRoute): Pick<RouteFacts, 'resource' | 'kind' | 'storageKey'> {
  if (answer.kind !== 'resource') return {};
  const { route, storageKey } = answer;
  return {
    resource: `${route.groupVersion} ${route.resource}`,
    kind: route.kind,
    ...(storageKey !== undefined && { storageKey }),
  };
}

function placeOf(places: Places, work: Work): string {
  const found = places.definition(work);
  return found === undefined ? '' : `${found.file}:${found.line}`;
}

/** `GET …?method=POST&path=/api/v1/pods`: what `coxswain routes` prints, for users authorized by RBAC. */
export const routesPath = '/debug/coxswain/routes';

export function installRoutesPath(server: KubeApiServer, places: Places): void {
  server.chain.aggregator.plain.addUnlisted(routesPath, async ({ parameters }) => {
    const [method, path] = [parameters.get('method') ?? 'GET', parameters.get('path')];
    const value =
      path === null ? await allRoutes(server) : await routeFacts(server, places, method.toUpperCase(), path);
    return jsonResponse(200, value);
  });
}
