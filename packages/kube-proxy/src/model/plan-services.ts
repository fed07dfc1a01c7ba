import type { KubeObject } from '@coxswain/apimachinery';
import type { Service } from '@coxswain/api/core/v1/service.ts';
import type { EndpointSlice } from '@coxswain/api/discovery/v1/endpoint-slice.ts';
import { candidatesFor, clusterEndpoints, localEndpoints } from './choose-endpoints.ts';
import type { Candidate, ProxyNode } from './choose-endpoints.ts';
import { familyOf } from './service-rule.ts';
import type {
  Destinations,
  EndpointAddress,
  HealthCheckPort,
  IpFamily,
  Protocol,
  ProxyRules,
  ServiceRule,
} from './service-rule.ts';

export type ServiceObject = Service & KubeObject;
export type EndpointSliceObject = EndpointSlice & KubeObject;

/** Another proxy than this one looks after services with this label; headless ones need none. */
const otherProxyLabel = 'service.kubernetes.io/service-proxy-name';
const headlessLabel = 'service.kubernetes.io/headless';
const sliceServiceLabel = 'kubernetes.io/service-name';
const affinitySecondsDefault = 10_800;

/** From services and their endpoints to what is to be done on this node; sorted, so that equal input gives equal rules. */
export function planServices(
  services: Iterable<ServiceObject>,
  slices: Iterable<EndpointSliceObject>,
  node: ProxyNode,
): ProxyRules {
  const slicesOf = new Map<string, EndpointSliceObject[]>();
  for (const slice of slices) {
    if (slice.metadata.labels?.[headlessLabel] !== undefined) continue;
    const key = `${slice.metadata.namespace}/${slice.metadata.labels?.[sliceServiceLabel]}`;
    const known = slicesOf.get(key);
    if (known === undefined) slicesOf.set(key, [slice]);
    else known.push(slice);
  }
  const rules: ServiceRule[] = [];
  const healthChecks: HealthCheckPort[] = [];
  for (const service of services) {
    if (!isProxied(service)) continue;
    const key = `${service.metadata.namespace}/${service.metadata.name}`;
    const own = slicesOf.get(key) ?? [];
    rules.push(...rulesOf(service, key, own, node));
    const check = healthCheckOf(service, key, own, node);
    if (check !== undefined) healthChecks.push(check);
  }
  rules.sort(
    (a, b) => byName(a.name, b.name) || byName(a.protocol, b.protocol) || byName(a.family, b.family),
  );
  return { services: rules, healthChecks: healthChecks.sort((a, b) => byName(a.service, b.service)) };
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

function rulesOf(
  service: ServiceObject,
  key: string,
  slices: readonly EndpointSliceObject[],
  node: ProxyNode,
): ServiceRule[] {
  const { spec } = service;
  const clusterIps = spec?.clusterIPs?.length ? spec.clusterIPs : [spec?.clusterIP ?? ''];
  return clusterIps.flatMap((clusterIp) => {
    const family = familyOf(clusterIp);
    const ofFamily = slices.filter(({ addressType }) => addressType === family);
    return (spec?.ports ?? []).map((port): ServiceRule => {
      const protocol: Protocol = (port.protocol as Protocol | undefined) ?? 'TCP';
      const candidates = candidatesFor(ofFamily, port.name ?? '', protocol, node);
      return {
        name: port.name ? `${key}:${port.name}` : key,
        protocol,
        family,
        clusterIp,
        port: port.port,
        externalIps: (spec?.externalIPs ?? []).filter((ip) => familyOf(ip) === family),
        loadBalancerIps: loadBalancerIps(service, family),
        sourceRanges: (spec?.loadBalancerSourceRanges ?? []).filter((range) => familyOf(range) === family),
        nodePort: port.nodePort ?? 0,
        affinitySeconds: affinitySeconds(service),
        ...destinationsOf(service, candidates, node),
      };
    });
  });
}

function destinationsOf(
  { spec }: ServiceObject,
  candidates: readonly Candidate[],
  node: ProxyNode,
): Pick<ServiceRule, 'internal' | 'external'> {
  const all = clusterEndpoints(candidates, node);
  const local = localEndpoints(candidates);
  const hasAny = all.length > 0 || local.length > 0;
  const destinations = (isLocal: boolean): Destinations => ({
    endpoints: (isLocal ? local : all).map(addressOf),
    whenNone: isLocal && hasAny ? 'drop' : 'reject',
  });
  const keepsClientIp = spec?.externalTrafficPolicy === 'Local';
  return {
    internal: destinations(spec?.internalTrafficPolicy === 'Local'),
    external: { ...destinations(keepsClientIp), keepsClientIp },
  };
}

const addressOf = ({ ip, port, isLocal }: Candidate): EndpointAddress => ({ ip, port, isLocal });

/** Addresses that a load balancer only forwards from (`ipMode: Proxy`) are not ours to answer for. */
const loadBalancerIps = ({ spec, status }: ServiceObject, family: IpFamily): string[] =>
  spec?.type === 'LoadBalancer'
    ? (status?.loadBalancer?.ingress ?? [])
        .filter(({ ip, ipMode }) => ip && ipMode !== 'Proxy' && familyOf(ip) === family)
        .map(({ ip }) => ip!)
    : [];

const affinitySeconds = ({ spec }: ServiceObject): number =>
  spec?.sessionAffinity === 'ClientIP'
    ? (spec.sessionAffinityConfig?.clientIP?.timeoutSeconds ?? affinitySecondsDefault)
    : 0;

function healthCheckOf(
  { spec }: ServiceObject,
  service: string,
  slices: readonly EndpointSliceObject[],
  node: ProxyNode,
): HealthCheckPort | undefined {
  const port = spec?.healthCheckNodePort;
  if (!port || spec.externalTrafficPolicy !== 'Local') return undefined;
  const ips = new Set<string>();
  for (const { name, protocol } of spec.ports ?? []) {
    for (const { ip, isLocal, ready } of candidatesFor(slices, name ?? '', protocol ?? 'TCP', node)) {
      if (isLocal && ready) ips.add(ip);
    }
  }
  return { service, port, localEndpoints: ips.size };
}

const byName = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
