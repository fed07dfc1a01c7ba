/** When a service changes its type, fields that only the old type uses are cleared, unless the client changes them. */
import type { Service } from '@coxswain/api/core/v1/service.ts';
import {
  isExternallyAccessible,
  mayHaveNodePorts,
  needsClusterIp,
  needsHealthCheckPort,
  nodePortsOf,
  sameClusterIps,
  sameIpFamilies,
} from './service-needs.ts';

export function dropTypeDependentFields(service: Service, old: Service): void {
  dropAddresses(service, old);
  const { spec } = service;
  if (
    mayHaveNodePorts(old) &&
    !mayHaveNodePorts(service) &&
    isSubset(nodePortsOf(service), nodePortsOf(old))
  ) {
    for (const port of spec.ports ?? []) delete port.nodePort;
  }
  if (needsHealthCheckPort(old) && !needsHealthCheckPort(service)) {
    if ((spec.healthCheckNodePort ?? 0) === (old.spec.healthCheckNodePort ?? 0))
      delete spec.healthCheckNodePort;
  }
  if (old.spec.type === 'LoadBalancer' && spec.type !== 'LoadBalancer') dropBalancerFields(service, old);
  if (isExternallyAccessible(old) && !isExternallyAccessible(service)) {
    if (spec.externalTrafficPolicy === old.spec.externalTrafficPolicy) delete spec.externalTrafficPolicy;
  }
  if (spec.type !== 'LoadBalancer') service.status = { ...service.status, loadBalancer: {} };
}

function dropAddresses(service: Service, old: Service): void {
  if (!needsClusterIp(old) || needsClusterIp(service)) return;
  const { spec } = service;
  if ((spec.clusterIP ?? '') === (old.spec.clusterIP ?? '') && sameClusterIps(old, service)) {
    delete spec.clusterIP;
    delete spec.clusterIPs;
  }
  if (sameIpFamilies(old, service)) delete spec.ipFamilies;
  if (spec.ipFamilyPolicy === old.spec.ipFamilyPolicy) delete spec.ipFamilyPolicy;
}

function dropBalancerFields({ spec }: Service, old: Service): void {
  const allocates = spec.allocateLoadBalancerNodePorts;
  if (allocates !== undefined && allocates === old.spec.allocateLoadBalancerNodePorts) {
    delete spec.allocateLoadBalancerNodePorts;
  }
  if (spec.loadBalancerClass === old.spec.loadBalancerClass) delete spec.loadBalancerClass;
}

const isSubset = (some: readonly number[], all: readonly number[]): boolean =>
  some.every((port) => all.includes(port));
