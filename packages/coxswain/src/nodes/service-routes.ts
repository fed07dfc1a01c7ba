/** Routes connections of simulated pods to Services by the rules that kube-proxy would have on their node. */

import {
  networkContains,
  parseCidr,
  parseIp,
  type Clock,
  type KubeObject,
  type Random,
} from '@coxswain/apimachinery';
import type { Node } from '@coxswain/api/core/v1/node.ts';
import type { KubeClient } from '@coxswain/client';
import { serviceNameLabel } from '@coxswain/cluster-dns/zone/cluster-view.ts';
import type { ProxyNode } from '@coxswain/kube-proxy/model/choose-endpoints.ts';
import {
  planService,
  type EndpointSliceObject,
  type ServiceObject,
} from '@coxswain/kube-proxy/model/plan-services.ts';
import type { EndpointAddress, ServiceRule } from '@coxswain/kube-proxy/model/service-rule.ts';
import type { Connection, FlowEnd, Route, ServiceRouter } from '@coxswain/simulated-nodes/network/flow.ts';

export interface ServiceRoutesOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  /** Selects one of several endpoints. */
  readonly random: Random;
}

/** The maximum number of remembered client affinities. */
const sessionsMax = 10_000;

/** Pods connect rarely, so Services are read each time instead of being watched. */
export function serviceRoutes({ client, clock, random }: ServiceRoutesOptions): ServiceRouter {
  const sessions = new Sessions(clock);
  return async (connection) => {
    const { items: services } = await client.resource<ServiceObject>('v1', 'services').list();
    const reached = services.filter((service) => mayBeReached(service, connection));
    if (reached.length === 0) return { kind: 'direct' };
    const nodes = await client.resource<Node & KubeObject>('v1', 'nodes').list();
    for (const service of reached) {
      const node = nodeOf(connection, nodes.items);
      const rules = planService(service, await slicesOf(client, service), node)?.rules ?? [];
      for (const rule of rules) {
        const way = wayInto(rule, connection, nodes.items);
        if (way !== undefined) return routeOf(rule, way, connection, sessions, random);
      }
    }
    // All other ports of a Service address are closed.
    return reached.some((service) => addressesOf(service).has(connection.address))
      ? { kind: 'refused' }
      : { kind: 'direct' };
  };
}

const slicesOf = async (
  client: KubeClient,
  { metadata }: ServiceObject,
): Promise<readonly EndpointSliceObject[]> => {
  const slices = client.resource<EndpointSliceObject>('discovery.k8s.io/v1', 'endpointslices');
  const labelSelector = `${serviceNameLabel}=${metadata.name}`;
  return (await slices.namespace(metadata.namespace ?? '').list({ labelSelector })).items;
};

const addressesOf = ({ spec, status }: ServiceObject): ReadonlySet<string> =>
  new Set([
    ...(spec?.clusterIPs ?? []),
    ...(spec?.externalIPs ?? []),
    ...(status?.loadBalancer?.ingress ?? []).flatMap(({ ip }) => ip ?? []),
  ]);

const mayBeReached = (service: ServiceObject, { address, port }: Connection): boolean =>
  addressesOf(service).has(address) ||
  service.spec?.ports?.some(({ nodePort }) => nodePort === port) === true;

/** The node whose rules apply: the one where a connection starts, or where it enters from outside. */
function nodeOf({ from, address }: Connection, nodes: readonly (Node & KubeObject)[]): ProxyNode {
  const own = from.pod?.spec?.nodeName;
  const node = nodes.find((one) =>
    own === undefined ? hasAddress(one, address) : one.metadata.name === own,
  );
  return { name: node?.metadata.name ?? '', zone: node?.metadata.labels?.['topology.kubernetes.io/zone'] };
}

const hasAddress = ({ status }: Node, address: string): boolean =>
  (status?.addresses ?? []).some((one) => one.type !== 'Hostname' && one.address === address);

type Way = 'inside' | 'node' | 'balancer';

/** How a connection enters a Service, depending on the address; undefined if the address belongs to another Service. */
function wayInto(
  { protocol, clusterIp, externalIps, loadBalancerIps, port, nodePort }: ServiceRule,
  connection: Connection,
  nodes: readonly Node[],
): Way | undefined {
  if (protocol !== 'TCP') return undefined;
  const { address } = connection;
  if (connection.port === port) {
    if (address === clusterIp) return 'inside';
    if (externalIps.includes(address) || loadBalancerIps.includes(address)) return 'balancer';
  }
  const isNodePort = nodePort !== 0 && connection.port === nodePort;
  return isNodePort && nodes.some((node) => hasAddress(node, address)) ? 'node' : undefined;
}

function routeOf(
  rule: ServiceRule,
  way: Way,
  { from, address }: Connection,
  sessions: Sessions,
  random: Random,
): Route {
  if (way === 'balancer' && !isAllowed(rule, from, address)) return { kind: 'dropped' };
  // Pods reach external addresses as if from inside; a load balancer only uses nodes with endpoints.
  const isLocal =
    way === 'inside'
      ? rule.internalIsLocal
      : way === 'node' && rule.externalIsLocal && from.pod === undefined;
  const endpoints = isLocal ? rule.localEndpoints : rule.clusterEndpoints;
  if (endpoints.length === 0) return { kind: rule.hasEndpoints ? 'dropped' : 'refused' };
  const { ip, port } = sessions.endpoint(rule, from.address, endpoints, () =>
    Math.floor(random.next() * endpoints.length),
  );
  return { kind: 'endpoint', address: ip, port };
}

/** Whether the load balancer admits a client. */
const isAllowed = ({ sourceRanges, loadBalancerIps }: ServiceRule, from: FlowEnd, address: string): boolean =>
  sourceRanges.length === 0 ||
  !loadBalancerIps.includes(address) ||
  sourceRanges.some((range) => {
    const [network, client] = [parseCidr(range), parseIp(from.address)];
    return network !== undefined && client !== undefined && networkContains(network, client);
  });

/** The endpoints that clients stay with, for Services with `sessionAffinity: ClientIP`. */
class Sessions {
  readonly #clock: Clock;
  readonly #sessions = new Map<string, { readonly endpoint: EndpointAddress; readonly untilMs: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  endpoint(
    { name, affinitySeconds }: ServiceRule,
    client: string,
    endpoints: readonly EndpointAddress[],
    choose: () => number,
  ): EndpointAddress {
    if (affinitySeconds === 0) return endpoints[choose()]!;
    const key = `${name} ${client}`;
    const nowMs = this.#clock.now();
    const last = this.#sessions.get(key);
    const isThere = last !== undefined && last.untilMs > nowMs;
    const kept = isThere
      ? endpoints.find(({ ip, port }) => ip === last.endpoint.ip && port === last.endpoint.port)
      : undefined;
    const endpoint = kept ?? endpoints[choose()]!;
    // The least recently used one is forgotten first.
    this.#sessions.delete(key);
    this.#sessions.set(key, { endpoint, untilMs: nowMs + affinitySeconds * 1000 });
    if (this.#sessions.size > sessionsMax) this.#sessions.delete(this.#sessions.keys().next().value!);
    return endpoint;
  }
}
