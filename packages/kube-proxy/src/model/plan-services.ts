import { canonicalIp, formatCidr, parseCidr, type KubeObject } from '@coxswain/apimachinery';
import type { Service } from '@coxswain/api/core/v1/service.ts';
import type { EndpointSlice } from '@coxswain/api/discovery/v1/endpoint-slice.ts';
import { candidatesFor, chooseEndpoints, type Candidate, type ProxyNode } from './choose-endpoints.ts';
import {
  addressText,
  familyOf,
  isReachableFromOutside,
  type EndpointAddress,
  type HealthCheckPort,
  type IpFamily,
  type Protocol,
  type ServicePlan,
  type ServiceRule,
} from './service-rule.ts';

export type ServiceObject = Service & KubeObject;
export type EndpointSliceObject = EndpointSlice & KubeObject;

/** Services with this label are handled by another proxy. */
const otherProxyLabel = 'service.kubernetes.io/service-proxy-name';
const affinitySecondsDefault = 10_800;

/** `namespace/name`, the form of service names throughout this package. */
export const serviceKey = ({ metadata }: KubeObject): string => `${metadata.namespace}/${metadata.name}`;

/** Plans the rules of a service and its endpoints on this node; undefined if there is nothing to do. */
export function planService(
  service: ServiceObject,
  slices: readonly EndpointSliceObject[],
  node: ProxyNode,
): ServicePlan | undefined {
  if (!isProxied(service)) return undefined;
  const { spec } = service;
  const clusterIps = spec?.clusterIPs?.length ? spec.clusterIPs : [spec?.clusterIP ?? ''];
  const rules = clusterIps.flatMap((clusterIp) => rulesOfFamily(service, clusterIp, slices, node));
  return { rules, healthCheck: healthCheckOf(service, slices, node) };
}

function isProxied({ metadata, spec }: ServiceObject): boolean {
  const { clusterIP, type } = spec ?? {};
  return (
    type !== 'ExternalName' &&
    Boolean(clusterIP) &&
    clusterIP !== 'None' &&
    metadata.labels?.[otherProxyLabel] === undefined
  );
}

function rulesOfFamily(
  service: ServiceObject,
  clusterIp: string,
  slices: readonly EndpointSliceObject[],
  node: ProxyNode,
): ServiceRule[] {
  const { spec } = service;
  const key = serviceKey(service);
  const family = familyOf(clusterIp);
  const ofFamily = slices.filter(({ addressType }) => addressType === family);
  const addresses = {
    clusterIp: canonicalIp(clusterIp) ?? clusterIp,
    externalIps: ipsOf(spec?.externalIPs ?? [], family),
    loadBalancerIps: loadBalancerIps(service, family),
    sourceRanges: sourceRanges(spec?.loadBalancerSourceRanges ?? [], family),
  };
  const policies = {
    affinitySeconds: affinitySeconds(service),
    internalIsLocal: spec?.internalTrafficPolicy === 'Local',
    externalIsLocal: externalIsLocal(service),
  };
  return (spec?.ports ?? []).map((port) => {
    const protocol = protocolOf(port);
    const candidates = candidatesFor(ofFamily, port.name ?? '', protocol, node);
    const given = {
      name: port.name ? `${key}:${port.name}` : key,
      protocol,
      family,
      port: port.port,
      nodePort: port.nodePort ?? 0,
      ...addresses,
      ...policies,
    };
    return { ...given, ...endpointsOf(given, candidates, node) };
  });
}

function endpointsOf(
  rule: Omit<ServiceRule, 'clusterEndpoints' | 'localEndpoints' | 'hasEndpoints' | 'servingEndpoints'>,
  candidates: readonly Candidate[],
  node: ProxyNode,
): Pick<ServiceRule, 'clusterEndpoints' | 'localEndpoints' | 'hasEndpoints' | 'servingEndpoints'> {
  const isOutside = isReachableFromOutside(rule);
  // Even with policy Local, clients on this node may reach any endpoint through an external address.
  const usesCluster = !rule.internalIsLocal || isOutside;
  const usesLocal = rule.internalIsLocal || (rule.externalIsLocal && isOutside);
  const { cluster, local, hasAny } = chooseEndpoints(candidates, { usesCluster, usesLocal }, node);
  return {
    clusterEndpoints: cluster.map(addressOf),
    localEndpoints: local.map(addressOf),
    hasEndpoints: hasAny,
    servingEndpoints:
      rule.protocol === 'UDP' ? candidates.filter(({ serving }) => serving).map(addressText) : [],
  };
}

const addressOf = ({ ip, port, isLocal }: Candidate): EndpointAddress => ({ ip, port, isLocal });

const protocolOf = ({ protocol }: { readonly protocol?: string | undefined }): Protocol =>
  (protocol as Protocol | undefined) ?? 'TCP';

const ipsOf = (texts: readonly string[], family: IpFamily): string[] =>
  texts.map(canonicalIp).filter((ip): ip is string => ip !== undefined && familyOf(ip) === family);

/** Addresses from which a load balancer only forwards (`ipMode: Proxy`) are not handled here. */
const loadBalancerIps = ({ status }: ServiceObject, family: IpFamily): string[] =>
  ipsOf(
    (status?.loadBalancer?.ingress ?? [])
      .filter(({ ip, ipMode }) => ip && (ipMode ?? 'VIP') === 'VIP')
      .map(({ ip }) => ip!),
    family,
  );

/** A range that covers everything is no restriction. Validation allows surrounding spaces. */
function sourceRanges(texts: readonly string[], family: IpFamily): string[] {
  const ranges = texts.flatMap((text) => {
    const range = parseCidr(text.trim());
    return range === undefined || familyOf(text) !== family ? [] : [range];
  });
  return ranges.some(({ prefixLength }) => prefixLength === 0) ? [] : ranges.map(formatCidr);
}

/** The policy applies only to services that are reachable from outside. */
const externalIsLocal = ({ spec }: ServiceObject): boolean =>
  spec?.externalTrafficPolicy === 'Local' &&
  (spec.type === 'LoadBalancer' || spec.type === 'NodePort' || Boolean(spec.externalIPs?.length));

const affinitySeconds = ({ spec }: ServiceObject): number =>
  spec?.sessionAffinity === 'ClientIP'
    ? (spec.sessionAffinityConfig?.clientIP?.timeoutSeconds ?? affinitySecondsDefault)
    : 0;

function healthCheckOf(
  service: ServiceObject,
  slices: readonly EndpointSliceObject[],
  node: ProxyNode,
): HealthCheckPort | undefined {
  const { spec } = service;
  const port = spec?.healthCheckNodePort;
  if (!port || spec.type !== 'LoadBalancer' || spec.externalTrafficPolicy !== 'Local') return undefined;
  const ips = new Set<string>();
  for (const { name, protocol } of spec.ports ?? []) {
    for (const { ip, isLocal, ready } of candidatesFor(slices, name ?? '', protocol ?? 'TCP', node)) {
      if (isLocal && ready) ips.add(ip);
    }
  }
  return { service: serviceKey(service), port, localEndpoints: ips.size };
}
