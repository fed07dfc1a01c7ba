/** An update keeps the allocated addresses and ports of a service that it doesn't mention. */
import type { Service } from '@coxswain/api/core/v1/service.ts';
import {
  allocatesNodePorts,
  needsClusterIp,
  needsHealthCheckPort,
  nodePortsOf,
  sameClusterIps,
} from './service-needs.ts';

export function keepAllocatedValues(service: Service, old: Service): void {
  const { spec } = service;
  if (needsClusterIp(old) && needsClusterIp(service)) {
    if (!spec.clusterIP && old.spec.clusterIP) spec.clusterIP = old.spec.clusterIP;
    if (!spec.clusterIPs?.length && old.spec.clusterIPs?.length) spec.clusterIPs = [...old.spec.clusterIPs];
  }
  if (allocatesNodePorts(old) && allocatesNodePorts(service)) keepNodePorts(service, old);
  if (needsHealthCheckPort(old) && needsHealthCheckPort(service) && !spec.healthCheckNodePort) {
    if (old.spec.healthCheckNodePort) spec.healthCheckNodePort = old.spec.healthCheckNodePort;
  }
}

/** Ports are matched by name. */
function keepNodePorts(service: Service, old: Service): void {
  const before = nodePortsOf(old);
  const stillUsed = new Set(nodePortsOf(service).filter((port) => before.includes(port)));
  const byName = new Map((old.spec.ports ?? []).map(({ name = '', nodePort }) => [name, nodePort]));
  for (const port of service.spec.ports ?? []) {
    const earlier = byName.get(port.name ?? '');
    if (!port.nodePort && earlier && !stillUsed.has(earlier)) port.nodePort = earlier;
  }
}

/** `clusterIP` is the first of `clusterIPs`: changing one of them changes both. */
export function alignClusterIps({ spec }: Service, old?: Service): void {
  if (old === undefined) {
    if (spec.clusterIP && !spec.clusterIPs?.length) spec.clusterIPs = [spec.clusterIP];
    return;
  }
  const same = (spec.clusterIP ?? '') === (old.spec.clusterIP ?? '');
  if (same) {
    if (old.spec.clusterIPs?.length && !spec.clusterIPs?.length) spec.clusterIPs = [...old.spec.clusterIPs];
    return;
  }
  if (!sameClusterIps(old, { spec } as Service)) return;
  if (old.spec.clusterIP && !spec.clusterIP) delete spec.clusterIPs;
  else spec.clusterIPs = [spec.clusterIP!];
}
