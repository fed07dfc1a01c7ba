import type { Endpoints } from '@coxswain/api/core/v1/endpoints.ts';
import type { EndpointAddress } from '@coxswain/api/core/v1/endpoint-subset.ts';
import { ServiceProxyOptions } from '@coxswain/api/core/v1/proxy-options.ts';
import type { Service } from '@coxswain/api/core/v1/service.ts';
import { badRequest, goQuote, serviceUnavailable } from '@coxswain/apimachinery';
import type { ApiRequest, ApiResource } from '@coxswain/apiserver';
import { resources } from '../../../object-reader.ts';
import { splitSchemeNamePort } from '../../../proxy/forwarder.ts';
import { as } from '../../any-object.ts';
import type { Services } from '../../services.ts';
import type { Stores } from '../../resource.ts';
import { proxied, proxyMethods } from '../proxy.ts';

export const serviceSubresources = (
  stores: Stores,
  services: Services,
): Readonly<Record<string, ApiResource>> => ({
  proxy: {
    storage: {
      kind: ServiceProxyOptions,
      namespaced: true,
      connectMethods: proxyMethods,
      async connect(request, id, path) {
        const target = splitSchemeNamePort(id);
        if (target === undefined) throw badRequest(`invalid service request ${goQuote(id)}`);
        const place = await endpointOf(stores, services, request, id, target);
        const scheme = target.scheme || 'http';
        return services.forwarder.forward(request, { ...proxied(request, path), ...place, scheme });
      },
    },
    managedFields: false,
  },
});

/** A random endpoint of the service with the requested port. */
async function endpointOf(
  stores: Stores,
  services: Services,
  request: ApiRequest,
  id: string,
  { name, port }: { readonly name: string; readonly port: string },
): Promise<{ host: string; port: string }> {
  const portName = /^\d+$/.test(port) ? await portNameOf(stores, request, name, Number(port)) : port;
  const found = await stores.of('', 'endpoints').main.get(request, name, { resourceVersion: '' });
  const subsets = as<Endpoints>(found.object).subsets ?? [];
  if (subsets.length === 0) throw serviceUnavailable(`no endpoints available for service ${goQuote(name)}`);
  for (const { addresses = [], ports = [] } of rotated(subsets, services)) {
    const wanted = ports.find((candidate) => (candidate.name ?? '') === portName);
    if (wanted === undefined) continue;
    for (const address of rotated(addresses, services)) {
      if (await isPod(address, services)) return { host: address.ip, port: String(wanted.port) };
    }
  }
  throw serviceUnavailable(`no endpoints available for service ${goQuote(id)}`);
}

/** @throws StatusError 503 when the service has no such port */
async function portNameOf(
  stores: Stores,
  request: ApiRequest,
  name: string,
  number: number,
): Promise<string> {
  const { object } = await stores.of('', 'services').main.get(request, name, { resourceVersion: '' });
  const found = as<Service>(object).spec.ports?.find(({ port }) => port === number);
  if (found === undefined)
    throw serviceUnavailable(`no service port ${number} found for service ${goQuote(name)}`);
  return found.name ?? '';
}

/** Writers of Endpoints must not direct this server to arbitrary addresses: only those of actual pods count. */
async function isPod({ ip, targetRef }: EndpointAddress, { objects }: Services): Promise<boolean> {
  if (targetRef === undefined || targetRef.kind !== 'Pod' || !targetRef.namespace || !targetRef.name)
    return false;
  const pod = await objects.get(resources.pods, targetRef.namespace, targetRef.name);
  const status = (pod as { status?: { podIP?: string; podIPs?: readonly { ip: string }[] } } | undefined)
    ?.status;
  return status?.podIPs?.some((own) => own.ip === ip) ?? status?.podIP === ip;
}

function rotated<T>(items: readonly T[], { transient }: Services): readonly T[] {
  const start = Math.floor(transient.random.next() * items.length);
  return [...items.slice(start), ...items.slice(0, start)];
}
