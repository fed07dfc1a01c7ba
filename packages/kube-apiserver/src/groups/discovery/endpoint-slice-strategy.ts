import { checkDnsSubdomain, semanticDeepEqual } from '@coxswain/apimachinery';
import type { ApiRequest, Strategy } from '@coxswain/apiserver';
import { EndpointSlice } from '@coxswain/api/discovery/v1/endpoint-slice.ts';
import { goEqual } from '@coxswain/schema';
import { as, type AnyObject } from '../any-object.ts';

const hostnameLabel = 'kubernetes.io/hostname';

export const endpointSliceStrategy: Partial<Strategy<AnyObject>> = {
  prepareForCreate: (object, request) => dropTopology(as<EndpointSlice>(object), undefined, request),
  prepareForUpdate(object, old, request) {
    // Even a change that is dropped below counts.
    if (isChanged(object, old)) object.metadata.generation = (old.metadata.generation ?? 0) + 1;
    dropTopology(as<EndpointSlice>(object), as<EndpointSlice>(old), request);
  },
};

const isChanged = (object: AnyObject, old: AnyObject): boolean =>
  !semanticDeepEqual(object.metadata.labels, old.metadata.labels) ||
  ['addressType', 'endpoints', 'ports'].some((member) => !isSame(member, object, old));

const isSame = (member: string, object: AnyObject, old: AnyObject): boolean =>
  goEqual(EndpointSlice.type.fields[member]!.type, object[member], old[member], 'semantic');

/** `deprecatedTopology` cannot be written through v1; its node name becomes `nodeName`. */
function dropTopology(slice: EndpointSlice, old: EndpointSlice | undefined, { info }: ApiRequest): void {
  if (info.version === 'v1beta1') return;
  if (old !== undefined && isSame('endpoints', as<AnyObject>(slice), as<AnyObject>(old))) return;
  const known = new Set(
    (old?.endpoints ?? []).map((endpoint) => endpoint.deprecatedTopology?.[hostnameLabel]),
  );
  for (const endpoint of slice.endpoints ?? []) {
    const name = endpoint.deprecatedTopology?.[hostnameLabel];
    const isKnown = name !== undefined && known.has(name) && checkDnsSubdomain(name).length === 0;
    if (endpoint.nodeName == null && isKnown) endpoint.nodeName = name;
    delete endpoint.deprecatedTopology;
  }
}
