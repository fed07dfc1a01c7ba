/** Assigns node addresses to Services of type LoadBalancer in clusters without a load balancer. */
import type { Node } from '@coxswain/api/core/v1/node.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { Service } from '@coxswain/api/core/v1/service.ts';
import type { EndpointSlice } from '@coxswain/api/discovery/v1/endpoint-slice.ts';
import type { KubeObject } from '@coxswain/apimachinery';

export type NodeObject = Node & KubeObject;
export type PodObject = Pod & KubeObject;
export type ServiceObject = Service & KubeObject;
export type EndpointSliceObject = EndpointSlice & KubeObject;

export interface AssignInputs {
  readonly services: readonly ServiceObject[];
  readonly nodes: readonly NodeObject[];
  readonly pods: readonly PodObject[];
  readonly slices: readonly EndpointSliceObject[];
}

export interface Assignment {
  readonly service: ServiceObject;
  /** Sorted; empty while no node is eligible. */
  readonly addresses: readonly string[];
  /** Why there are no addresses: another Service has its ports. */
  readonly conflict?: string;
}

/** Services can request this class by name; those without a class are included, those of other classes are ignored. */
const nodeAddressClass = 'coxswain.io/node-address';
const excludedLabel = 'node.kubernetes.io/exclude-from-external-load-balancers';
const serviceNameLabel = 'kubernetes.io/service-name';

export const isOurs = ({ metadata, spec }: ServiceObject): boolean =>
  spec?.type === 'LoadBalancer' &&
  metadata.deletionTimestamp === undefined &&
  (spec.loadBalancerClass ?? nodeAddressClass) === nodeAddressClass;

/** A port of a node can be given to only one Service: the oldest one that requests it. */
export function assignAddresses({ services, nodes, pods, slices }: AssignInputs): readonly Assignment[] {
  const usable = nodes.filter(takesTraffic);
  const ports = new PortsOfNodes(usable, pods, slices);
  return services
    .filter(isOurs)
    .sort(byAge)
    .map((service) => {
      const near =
        service.spec?.externalTrafficPolicy === 'Local' ? nodesWithEndpoints(service, slices) : undefined;
      const candidates = usable.filter(({ metadata: { name = '' } }) => near === undefined || near.has(name));
      const owners = candidates.map((node) => ports.take(node.metadata.name ?? '', service));
      const taken = candidates.filter((_node, index) => owners[index] === undefined);
      const addresses = [...new Set(taken.flatMap((node) => addressesFor(service, node)))].sort();
      const [conflict] = owners.filter((owner) => owner !== undefined);
      return taken.length > 0 || conflict === undefined
        ? { service, addresses }
        : { service, addresses, conflict };
    });
}

/** Whether the node is ready, not excluded, and real: a simulated node has no port on which anything could answer. */
const takesTraffic = ({ metadata, status }: NodeObject): boolean =>
  status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') === true &&
  !Object.hasOwn(metadata.labels ?? {}, excludedLabel) &&
  status.nodeInfo?.kernelVersion !== 'simulated';

const byAge = (a: ServiceObject, b: ServiceObject): number => {
  const [one, other] = [a, b].map(({ metadata }) => `${metadata.creationTimestamp ?? ''} ${keyOf(metadata)}`);
  return one! < other! ? -1 : 1;
};

const keyOf = ({ namespace = '', name = '' }: KubeObject['metadata']): string => `${namespace}/${name}`;

const slicesOf = ({ metadata }: ServiceObject, slices: readonly EndpointSliceObject[]) =>
  slices.filter(
    (slice) =>
      slice.metadata.namespace === metadata.namespace &&
      slice.metadata.labels?.[serviceNameLabel] === metadata.name,
  );

const nodesWithEndpoints = (service: ServiceObject, slices: readonly EndpointSliceObject[]): Set<string> =>
  new Set(
    slicesOf(service, slices).flatMap(({ endpoints }) =>
      (endpoints ?? []).flatMap(({ conditions, nodeName }) =>
        conditions?.ready !== false && nodeName ? [nodeName] : [],
      ),
    ),
  );

/** The node's external addresses, or else its internal ones, in the address families of the Service. */
function addressesFor({ spec }: ServiceObject, { status }: NodeObject): readonly string[] {
  const families = spec?.ipFamilies ?? ['IPv4'];
  const ofType = (wanted: string): string[] =>
    (status?.addresses ?? []).flatMap(({ type, address = '' }) =>
      type === wanted && families.includes(address.includes(':') ? 'IPv6' : 'IPv4') ? [address] : [],
    );
  const external = ofType('ExternalIP');
  return external.length > 0 ? external : ofType('InternalIP');
}

/** Tracks which Service has which port of which node. */
class PortsOfNodes {
  /** The owner by `node TCP/80`. */
  readonly #owners = new Map<string, string>();

  constructor(
    nodes: readonly NodeObject[],
    pods: readonly PodObject[],
    slices: readonly EndpointSliceObject[],
  ) {
    for (const { metadata, status } of nodes) {
      const kubelet = status?.daemonEndpoints?.kubeletEndpoint?.Port;
      if (kubelet) this.#owners.set(`${metadata.name} TCP/${kubelet}`, 'the kubelet');
    }
    this.#noteApiServers(nodes, slices);
    for (const { metadata, spec, status } of pods) {
      if (status?.phase === 'Succeeded' || status?.phase === 'Failed') continue;
      for (const { ports } of spec?.containers ?? [])
        for (const { hostPort, protocol } of ports ?? [])
          if (hostPort)
            this.#owners.set(`${spec?.nodeName} ${protocol ?? 'TCP'}/${hostPort}`, `Pod ${keyOf(metadata)}`);
    }
  }

  /** Returns undefined if the Service now has all of its ports, otherwise the owner of one of them. */
  take(node: string, service: ServiceObject): string | undefined {
    const keys = (service.spec?.ports ?? []).map(({ port, protocol }) => `${protocol ?? 'TCP'}/${port}`);
    for (const key of keys) {
      const owner = this.#owners.get(`${node} ${key}`);
      if (owner !== undefined) return `port ${key} of node ${node} is taken by ${owner}`;
    }
    for (const key of keys) this.#owners.set(`${node} ${key}`, `Service ${keyOf(service.metadata)}`);
    return undefined;
  }

  /** No Service may take the port of an API server, since the mistake could then not be undone through the API. */
  #noteApiServers(nodes: readonly NodeObject[], slices: readonly EndpointSliceObject[]): void {
    const servers = slices.filter(
      ({ metadata }) =>
        metadata.namespace === 'default' && metadata.labels?.[serviceNameLabel] === 'kubernetes',
    );
    for (const { endpoints, ports } of servers)
      for (const { metadata, status } of nodes) {
        const own = new Set((status?.addresses ?? []).map(({ address }) => address));
        if (!(endpoints ?? []).some(({ addresses }) => (addresses ?? []).some((each) => own.has(each))))
          continue;
        for (const { port } of ports ?? [])
          if (port) this.#owners.set(`${metadata.name} TCP/${port}`, 'the API server');
      }
  }
}
