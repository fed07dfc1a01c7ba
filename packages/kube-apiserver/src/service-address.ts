/** Resolves a service's port to its cluster address, or to one of its endpoints. */
import type { Service } from '@coxswain/api/core/v1/service.ts';
import type { EndpointSlice } from '@coxswain/api/discovery/v1/index.ts';
import { goQuote, type Random } from '@coxswain/apimachinery';
import type { Awaitable } from '@coxswain/apiserver';
import { resources, type ObjectReader } from './object-reader.ts';

export interface ServicePort {
  readonly namespace: string;
  readonly name: string;
  readonly port: number;
}

export interface Address {
  readonly host: string;
  readonly port: string;
}

/** @throws Error with the reason that the service is unreachable */
export type ServiceResolver = (wanted: ServicePort) => Promise<Address>;

export interface ServiceResolverParts {
  readonly objects: ObjectReader;
  readonly random: Random;
  /** Whether to use endpoints instead of the service's address. */
  readonly asksEndpoints: boolean;
  /** The address of this server itself as `default/kubernetes`; undefined before it listens. */
  readonly self: () => Address | undefined;
}

export const slicesOf = async (
  objects: ObjectReader,
  namespace: string,
  service: string,
): Promise<readonly EndpointSlice[]> =>
  (await objects.list<EndpointSlice>(resources.endpointSlices, namespace)).filter(
    ({ metadata }) => metadata.labels?.['kubernetes.io/service-name'] === service,
  );

export const serviceOf = (
  objects: ObjectReader,
  namespace: string,
  name: string,
): Awaitable<Service | undefined> => objects.get<Service>(resources.services, namespace, name);

export const serviceResolver =
  ({ objects, random, asksEndpoints, self }: ServiceResolverParts): ServiceResolver =>
  async ({ namespace, name, port }) => {
    const own = namespace === 'default' && name === 'kubernetes' && port === 443 ? self() : undefined;
    if (own !== undefined) return own;
    const service = await serviceOf(objects, namespace, name);
    if (service === undefined) throw new Error(`service ${goQuote(name)} not found`);
    if (!asksEndpoints) return clusterAddress(service, port);
    return endpointAddress(service, await slicesOf(objects, namespace, name), port, random);
  };

function clusterAddress({ metadata, spec }: Service, port: number): Address {
  if (spec.type === 'ExternalName') return { host: spec.externalName ?? '', port: String(port) };
  if (spec.type === 'ClusterIP' && spec.clusterIP === 'None') {
    throw new Error('cannot route to service with ClusterIP "None"');
  }
  return { host: spec.clusterIP ?? '', port: String(servicePort({ metadata, spec }, port).port) };
}

function servicePort({ metadata, spec }: Pick<Service, 'metadata' | 'spec'>, port: number) {
  const found = spec.ports?.find((one) => one.port === port);
  if (found !== undefined) return found;
  throw new Error(`no service port ${port} found for service ${goQuote(metadata.name ?? '')}`);
}

/** Any ready endpoint, preferably of the service's first family. */
function endpointAddress(
  service: Service,
  slices: readonly EndpointSlice[],
  port: number,
  random: Random,
): Address {
  const { spec, metadata } = service;
  if (spec.type === 'ExternalName') throw new Error(`unsupported service type ${goQuote(spec.type)}`);
  const portName = servicePort(service, port).name ?? '';
  const family = spec.ipFamilies?.[0];
  const inOrder = [
    ...slices.filter(({ addressType }) => addressType === family),
    ...slices.filter(({ addressType }) => addressType !== family),
  ];
  for (const { ports, endpoints } of inOrder) {
    const found = ports?.find((one) => one.name === portName && one.port !== undefined);
    const ready = (endpoints ?? []).filter(({ conditions }) => conditions?.ready !== false);
    const picked = ready[Math.floor(random.next() * ready.length)]?.addresses[0];
    if (found !== undefined && picked !== undefined) return { host: picked, port: String(found.port) };
  }
  throw new Error(`no endpoints available for service ${goQuote(metadata.name ?? '')}`);
}
