/** The endpoints objects of the service `kubernetes`, used by all reconcilers. */
import { semanticDeepEqual } from '@coxswain/apimachinery';
import type { Endpoints } from '@coxswain/api/core/v1/endpoints.ts';
import type { EndpointPort } from '@coxswain/api/core/v1/endpoint-subset.ts';
import type { EndpointSlice } from '@coxswain/api/discovery/v1/endpoint-slice.ts';
import type { SystemObjects } from './system-objects.ts';

const name = 'kubernetes';
export const endpointsCollection = '/api/v1/namespaces/default/endpoints';
export const endpointsPath = `${endpointsCollection}/${name}`;
const slicesPath = '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices';

const skipMirror = 'endpointslice.kubernetes.io/skip-mirror';

/** The ports of a server in this process. */
export const serverPorts = (port: number): readonly EndpointPort[] => [
  { name: 'https', protocol: 'TCP', port },
];

/** The addresses, if they are in a single subset as expected; otherwise empty. */
export const addressesIn = ({ subsets = [] }: Endpoints): readonly string[] =>
  subsets.length === 1 ? (subsets[0]?.addresses ?? []).map(({ ip }) => ip) : [];

/** Whether the mirroring controller skips the object. */
export const isMarked = ({ metadata }: Endpoints): boolean => metadata?.labels?.[skipMirror] === 'true';

/** The existing object with these addresses. */
export const kubernetesEndpoints = (
  found: Endpoints | undefined,
  addresses: readonly string[],
  ports: readonly EndpointPort[],
): Endpoints =>
  ({
    apiVersion: 'v1',
    kind: 'Endpoints',
    metadata: {
      ...found?.metadata,
      name,
      namespace: 'default',
      labels: { ...found?.metadata?.labels, [skipMirror]: 'true' },
    },
    ...(addresses.length > 0 && { subsets: [{ addresses: addresses.map((ip) => ({ ip })), ports }] }),
  }) as Endpoints;

/** Updates the EndpointSlice to the Endpoints, which no controller mirrors. */
export async function settleSlice(objects: SystemObjects, endpoints: Endpoints): Promise<void> {
  const wanted = sliceOf(endpoints);
  const path = `${slicesPath}/${name}`;
  const found = await objects.get<EndpointSlice>(path);
  if (found === undefined) return objects.create(slicesPath, wanted);
  if (found.addressType !== wanted.addressType) {
    await objects.remove(path);
    return objects.create(slicesPath, wanted);
  }
  const isSame =
    semanticDeepEqual(found.endpoints ?? [], wanted.endpoints ?? []) &&
    semanticDeepEqual(found.ports, wanted.ports) &&
    semanticDeepEqual(found.metadata?.labels, wanted.metadata?.labels);
  if (!isSame) await objects.replace(path, wanted);
}

function sliceOf({ subsets }: Endpoints): EndpointSlice {
  const [subset] = subsets ?? [];
  const addresses = subset?.addresses ?? [];
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { name, namespace: 'default', labels: { 'kubernetes.io/service-name': name } },
    addressType: addresses.length > 0 && addresses.every(({ ip }) => ip.includes(':')) ? 'IPv6' : 'IPv4',
    endpoints: addresses.map(({ ip }) => ({ addresses: [ip], conditions: { ready: true } })),
    ports: (subset?.ports ?? []).map((port) => ({
      name: port.name,
      protocol: port.protocol,
      port: port.port,
    })),
  } as EndpointSlice;
}
