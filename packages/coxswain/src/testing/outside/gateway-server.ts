/** Acts as an ingress controller or gateway: finds the route for a request and forwards it to a Service. */

import type { KubeObject, Random } from '@coxswain/apimachinery';
import type { Service } from '@coxswain/api/core/v1/service.ts';
import type { KubeClient } from '@coxswain/client';
import {
  headerOf,
  type HttpAnswer,
  type HttpHeader,
  type HttpRequest,
  type HttpServer,
} from '@coxswain/simulated-nodes/network/http-message.ts';
import {
  ConnectionReset,
  NetworkFailure,
  NoResponse,
  type PodNetwork,
} from '@coxswain/simulated-nodes/network/pod-network.ts';
import { plainAnswer } from '@coxswain/simulated-nodes/program/handle-request.ts';
import type { HeaderChange, PublishedRoute, WeightedBackend } from './published-route.ts';
import { publishedRoutes } from './published-routes.ts';

export interface GatewayParts {
  readonly client: KubeClient;
  readonly network: PodNetwork;
  readonly random: Random;
}

export const gatewayServer =
  ({ client, network, random }: GatewayParts): HttpServer =>
  async (request) => {
    const host = (headerOf(request, 'host') ?? '').replace(/:\d+$/, '');
    const route = (await publishedRoutes(client)).find(
      ({ isForHost, matches }) => isForHost(host) && matches(request),
    );
    if (route === undefined) return plainAnswer(404, 'no Ingress or HTTPRoute has this path');
    if (route.unsupported !== undefined) return plainAnswer(500, `${route.unsupported} is not simulated`);
    const backend = chosen(route.backends, random);
    const target = backend && (await targetOf(client, backend));
    if (target === undefined) return plainAnswer(500, 'the route has no Service behind it');
    const answer = await handedOn(network, target, changedRequest(request, route, host));
    return { ...answer, headers: changed(answer.headers, route.responseHeaders) };
  };

function chosen(backends: readonly WeightedBackend[], random: Random): WeightedBackend | undefined {
  const all = backends.reduce((sum, { weight }) => sum + weight, 0);
  if (backends.length < 2) return all > 0 ? backends[0] : undefined;
  let at = random.next() * all;
  return backends.find(({ weight }) => (at -= weight) < 0);
}

interface Target {
  readonly address: string;
  readonly port: number;
}

/** Undefined if there is no such Service, or no such port. */
async function targetOf(
  client: KubeClient,
  { namespace, service: name, port }: WeightedBackend,
): Promise<Target | undefined> {
  const { items } = await client
    .resource<Service & KubeObject>('v1', 'services')
    .namespace(namespace)
    .list({ fieldSelector: `metadata.name=${name}` });
  const spec = items[0]?.spec;
  const found = spec?.ports?.find((one) => one.port === port || one.name === port);
  return found && spec?.clusterIP && spec.clusterIP !== 'None'
    ? { address: spec.clusterIP, port: found.port }
    : undefined;
}

async function handedOn(network: PodNetwork, target: Target, request: HttpRequest): Promise<HttpAnswer> {
  try {
    return await (
      await network.connect(target.address, target.port)
    )(request);
  } catch (failure) {
    if (!(failure instanceof NetworkFailure)) throw failure;
    if (failure instanceof ConnectionReset) return plainAnswer(502, 'Bad Gateway');
    return failure instanceof NoResponse
      ? plainAnswer(504, 'Gateway Timeout')
      : plainAnswer(503, 'Service Unavailable');
  }
}

const changedRequest = (request: HttpRequest, route: PublishedRoute, host: string): HttpRequest => ({
  ...request,
  headers: [
    ...changed(request.headers, route.requestHeaders),
    ['x-forwarded-host', host],
    ['x-forwarded-proto', 'http'],
  ],
});

function changed(
  headers: readonly HttpHeader[],
  changes: readonly HeaderChange[] = [],
): readonly HttpHeader[] {
  let result = headers;
  for (const { set = [], add = [], remove = [] } of changes) {
    const gone = new Set([...set.map(([name]) => name), ...remove].map((name) => name.toLowerCase()));
    result = [...result.filter(([name]) => !gone.has(name.toLowerCase())), ...set, ...add];
  }
  return result;
}
