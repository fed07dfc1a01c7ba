/** Defaults of services that depend on their type and affinity. */

import type { StatusObject } from '../../../meta/kind-object.ts';
import type { ServicePort } from '../service-port.ts';
import type { ServiceStatus } from '../service-status.ts';
import type { ServiceSpec } from '../service-spec.ts';

export function defaultService(service: StatusObject<ServiceSpec, ServiceStatus>): void {
  const { spec } = service;
  defaultAffinity(spec);
  for (const port of spec.ports ?? []) defaultPort(port);
  if (isExternallyAccessible(spec)) spec.externalTrafficPolicy ||= 'Cluster';
  if (spec.type === 'NodePort' || spec.type === 'LoadBalancer' || spec.type === 'ClusterIP') {
    spec.internalTrafficPolicy ??= 'Cluster';
  }
  if (spec.type !== 'LoadBalancer') return;
  spec.allocateLoadBalancerNodePorts ??= true;
  for (const ingress of service.status?.loadBalancer?.ingress ?? []) {
    if (ingress.ip) ingress.ipMode ??= 'VIP';
  }
}

/** Whether traffic from outside the cluster can reach it. */
export const isExternallyAccessible = (spec: ServiceSpec): boolean =>
  spec.type === 'LoadBalancer' ||
  spec.type === 'NodePort' ||
  (spec.type === 'ClusterIP' && (spec.externalIPs ?? []).length > 0);

function defaultAffinity(spec: ServiceSpec): void {
  if (spec.sessionAffinity === 'None') delete spec.sessionAffinityConfig;
  if (spec.sessionAffinity === 'ClientIP' && spec.sessionAffinityConfig?.clientIP?.timeoutSeconds == null) {
    spec.sessionAffinityConfig = { clientIP: { timeoutSeconds: affinityTimeoutSeconds } };
  }
}

function defaultPort(port: ServicePort): void {
  if (port.targetPort == null || port.targetPort === 0 || port.targetPort === '') port.targetPort = port.port;
}

const affinityTimeoutSeconds = 10_800;
