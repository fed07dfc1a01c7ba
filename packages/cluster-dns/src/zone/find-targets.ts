/** Resolves a name of the cluster's domain: to addresses and ports, or to another name. */

import { parseIp } from '@coxswain/apimachinery';
import type { Endpoint } from '@coxswain/api/discovery/v1/endpoint.ts';
import { serviceNameLabel, type ClusterView, type ServiceObject } from './cluster-view.ts';
import type { NameRequest, ServicePart } from './name-request.ts';

export interface Target {
  /** An address, or the external name of a service. */
  readonly host: string;
  /** Undefined if no port is declared. */
  readonly port: number | undefined;
  /** Relative to the domain, such as `web.default.svc`: the target of SRV records. */
  readonly name: string;
}

/** Undefined if the name does not exist; empty if it exists without targets. */
export function findTargets(request: NameRequest, view: ClusterView): readonly Target[] | undefined {
  if (request.kind === 'domain') return [];
  if (!view.hasNamespace(request.namespace)) return undefined;
  return request.kind === 'pod'
    ? podTargets(request.namespace, request.pod)
    : serviceTargets(request.namespace, request.part, view);
}

/** `172-17-0-3` is an address in itself; no pod is looked up (CoreDNS: `pods insecure`). */
function podTargets(namespace: string, pod: string | undefined): readonly Target[] | undefined {
  if (pod === undefined) return [];
  const isIpv4 = pod.split('-').length === 4 && !pod.includes('--');
  const host = pod.replaceAll('-', isIpv4 ? '.' : ':');
  return parseIp(host) === undefined ? undefined : [{ host, port: 0, name: `${pod}.${namespace}.pod` }];
}

function serviceTargets(
  namespace: string,
  part: ServicePart,
  view: ClusterView,
): readonly Target[] | undefined {
  if (part.service === undefined) return [];
  const service = view.service(namespace, part.service);
  if (service === undefined) return undefined;
  const name = `${part.service}.${namespace}.svc`;
  const targets =
    service.spec?.type === 'ExternalName'
      ? externalTarget(service, part, name)
      : isHeadless(service) || part.endpoint !== undefined
        ? endpointTargets(namespace, part, name, view)
        : clusterTargets(service, part, name);
  return targets.length === 0 ? undefined : targets;
}

const isHeadless = ({ spec }: ServiceObject): boolean => spec?.clusterIP === 'None';

function externalTarget({ spec }: ServiceObject, part: ServicePart, name: string): readonly Target[] {
  const host = spec?.externalName;
  if (!host || part.endpoint !== undefined || part.port !== undefined || parseIp(host) !== undefined)
    return [];
  return [{ host, port: undefined, name }];
}

function clusterTargets({ spec }: ServiceObject, part: ServicePart, name: string): readonly Target[] {
  return (spec?.ports ?? [])
    .filter((port) => isAskedFor(part, port.name ?? '', port.protocol ?? 'TCP'))
    .flatMap(({ port }) => (spec?.clusterIPs ?? []).map((host) => ({ host, port, name })));
}

function endpointTargets(
  namespace: string,
  part: ServicePart,
  name: string,
  view: ClusterView,
): readonly Target[] {
  const targets: Target[] = [];
  for (const { endpoints, ports } of view.slicesOf(namespace, part.service!)) {
    const declared = (ports?.length ?? 0) > 0 ? ports! : [{ name: '', protocol: '', port: undefined }];
    const wanted = declared.filter((port) => isAskedFor(part, port.name ?? '', port.protocol ?? 'TCP'));
    for (const { address, hostName } of readyAddresses(endpoints ?? [])) {
      if (part.endpoint !== undefined && part.endpoint !== hostName.toLowerCase()) continue;
      for (const { port } of wanted)
        targets.push({ host: address, port: port ?? undefined, name: `${hostName}.${name}` });
    }
  }
  return targets;
}

interface NamedAddress {
  readonly address: string;
  readonly hostName: string;
}

function* readyAddresses(endpoints: readonly Endpoint[]): Iterable<NamedAddress> {
  for (const { addresses, conditions, hostname } of endpoints) {
    if (conditions?.ready === false) continue;
    for (const address of addresses ?? []) yield { address, hostName: hostname || dashed(address) };
  }
}

/** `10.0.0.1` → `10-0-0-1`, `fd00::` → `fd00--0`: a label must not end with a dash. */
function dashed(address: string): string {
  const label = address.replaceAll(/[.:]/g, '-');
  return label.endsWith('-') ? `${label}0` : label;
}

const isAskedFor = ({ port, protocol }: ServicePart, name: string, itsProtocol: string): boolean =>
  (!port || port === name.toLowerCase()) && (!protocol || protocol === itsProtocol.toLowerCase());

/** The names of an address, relative to the domain: the service with that address, or its endpoints in services. */
export function namesOfAddress(address: string, view: ClusterView): readonly string[] {
  const service = view.serviceByAddress(address);
  if (service !== undefined) return [`${service.metadata.name}.${service.metadata.namespace}.svc`];
  const names = new Set<string>();
  for (const { metadata, endpoints } of view.slicesByAddress(address)) {
    for (const found of readyAddresses(endpoints ?? [])) {
      if (found.address !== address) continue;
      names.add(`${found.hostName}.${metadata.labels?.[serviceNameLabel]}.${metadata.namespace}.svc`);
    }
  }
  return [...names];
}
