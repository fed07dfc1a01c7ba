/** Formats the addresses behind a service, for descriptions of services and ingresses. */
import type { KubeObject } from '@coxswain/apimachinery';

export interface EndpointSlice extends KubeObject {
  readonly addressType?: string;
  readonly ports?:
    | readonly { readonly name?: string; readonly port?: number; readonly protocol?: string }[]
    | null;
  readonly endpoints?: readonly SliceEndpoint[] | null;
}

export interface SliceEndpoint {
  readonly addresses?: readonly string[] | null;
  readonly conditions?: { readonly ready?: boolean };
  readonly hostname?: string;
  readonly nodeName?: string;
  readonly zone?: string;
  readonly targetRef?: { readonly kind?: string; readonly name?: string };
}

/** Further endpoints are counted instead of shown. */
const endpointsMax = 3;

export const slicesPath = (namespace: string | undefined): string =>
  `/apis/discovery.k8s.io/v1/namespaces/${namespace}/endpointslices`;

export const slicesOf = (service: string | undefined): Readonly<Record<string, string>> => ({
  labelSelector: `kubernetes.io/service-name=${service}`,
});

/** `10.0.0.1:80,10.0.0.2:80 + 4 more...` for one port of a service. */
export function endpointsText(slices: readonly EndpointSlice[], portName: string): string {
  if (slices.length === 0) return '<none>';
  const shown: string[] = [];
  let ready = 0;
  let isCut = false;
  for (const { endpoint, text } of addressesOf(slices, portName)) {
    // As upstream, an endpoint that isn't ready also truncates the list, though it isn't counted.
    if (shown.length === endpointsMax) isCut = true;
    if (endpoint.conditions?.ready === false) continue;
    if (!isCut) shown.push(text);
    ready++;
  }
  const text = shown.join(',');
  return isCut ? `${text} + ${ready - endpointsMax} more...` : text;
}

interface Address {
  readonly endpoint: SliceEndpoint;
  readonly text: string;
}

function* addressesOf(slices: readonly EndpointSlice[], portName: string): Iterable<Address> {
  for (const { ports, endpoints } of slices) {
    const all = endpoints ?? [];
    if ((ports ?? []).length === 0) {
      for (const endpoint of all) yield { endpoint, text: endpoint.addresses?.[0] ?? '' };
    }
    for (const { name = '', port = 0 } of ports ?? []) {
      if (name !== portName) continue;
      for (const endpoint of all) yield { endpoint, text: hostPort(endpoint.addresses?.[0] ?? '', port) };
    }
  }
}

const hostPort = (host: string, port: number): string => `${host.includes(':') ? `[${host}]` : host}:${port}`;
