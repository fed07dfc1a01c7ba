/** Before discovery.k8s.io/v1 an endpoint's node and zone were in a map of topology labels. */
import { EndpointSlice } from '@coxswain/api/discovery/v1/endpoint-slice.ts';
import type { Endpoint } from '@coxswain/api/discovery/v1/endpoint.ts';
import { EndpointSlice as OldSlice, type Endpoint as OldEndpoint } from '@coxswain/api/discovery/v1beta1.ts';
import { changing } from '../conversion.ts';

const zoneLabel = 'topology.kubernetes.io/zone';
const hostLabel = 'kubernetes.io/hostname';

export const endpointSliceConversion = changing(EndpointSlice, OldSlice, {
  toStorage(slice) {
    slice.endpoints = (slice.endpoints as OldEndpoint[] | null)?.map(endpointToV1) ?? null;
  },
  fromStorage(slice) {
    slice.endpoints = (slice.endpoints as Endpoint[] | null)?.map(endpointFromV1) ?? null;
  },
});

function endpointToV1({ topology, ...endpoint }: OldEndpoint): Endpoint {
  if (topology == null) return endpoint;
  const { [zoneLabel]: zone, ...labels } = topology;
  // A hostname other than the node's is kept, so that nothing is lost on the way back.
  if (labels[hostLabel] === endpoint.nodeName) delete labels[hostLabel];
  return {
    ...endpoint,
    ...(zone !== undefined && { zone }),
    ...(Object.keys(labels).length > 0 && { deprecatedTopology: labels }),
  };
}

function endpointFromV1({ zone, deprecatedTopology, ...endpoint }: Endpoint): OldEndpoint {
  const { nodeName } = endpoint;
  if (zone == null && deprecatedTopology == null && nodeName == null) return endpoint;
  const topology: Record<string, string> = {
    ...deprecatedTopology,
    ...(zone != null && { [zoneLabel]: zone }),
  };
  if (nodeName != null && !topology[hostLabel]) topology[hostLabel] = nodeName;
  return { ...endpoint, topology };
}
