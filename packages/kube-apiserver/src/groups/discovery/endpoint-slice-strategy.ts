import { semanticDeepEqual } from '@coxswain/apimachinery';
import type { Strategy } from '@coxswain/apiserver';
import type { EndpointSlice } from '@coxswain/api/discovery/v1/endpoint-slice.ts';
import { as } from '../resource.ts';
import type { AnyObject } from '../resource.ts';

const hostnameLabel = 'kubernetes.io/hostname';

/** `deprecatedTopology` can't be written any more; what told a node's name there becomes `nodeName`. */
export const endpointSliceStrategy: Partial<Strategy<AnyObject>> = {
  prepareForCreate: (object) => dropTopology(as<EndpointSlice>(object)),
  prepareForUpdate: (object, old) => dropTopology(as<EndpointSlice>(object), as<EndpointSlice>(old)),
};

function dropTopology(slice: EndpointSlice, old?: EndpointSlice): void {
  if (old !== undefined && semanticDeepEqual(slice.endpoints, old.endpoints)) return;
  const known = new Set(
    (old?.endpoints ?? []).map((endpoint) => endpoint.deprecatedTopology?.[hostnameLabel]),
  );
  for (const endpoint of slice.endpoints ?? []) {
    const name = endpoint.deprecatedTopology?.[hostnameLabel];
    if (!endpoint.nodeName && name !== undefined && known.has(name)) endpoint.nodeName = name;
    delete endpoint.deprecatedTopology;
  }
}
