/** The changes to the slices of a service. */
import type { EndpointSlice } from '../objects.ts';

export type Endpoint = EndpointSlice['endpoints'][number];
export type EndpointPort = NonNullable<EndpointSlice['ports']>[number];
export type AddressType = 'IPv4' | 'IPv6';

export interface SlicePlan {
  readonly create: EndpointSlice[];
  readonly update: EndpointSlice[];
  readonly remove: EndpointSlice[];
}
