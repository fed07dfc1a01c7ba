/** What a service of a type has: an address, node ports, a port for health checks. */
import { deepEqual } from '@coxswain/apimachinery';
import type { Service } from '@coxswain/api/core/v1/service.ts';

export const headless = 'None';

export const needsClusterIp = ({ spec }: Service): boolean => spec.type !== 'ExternalName';

export const mayHaveNodePorts = ({ spec }: Service): boolean =>
  spec.type === 'NodePort' || spec.type === 'LoadBalancer';

export const allocatesNodePorts = ({ spec }: Service): boolean =>
  spec.type === 'NodePort' || (spec.type === 'LoadBalancer' && (spec.allocateLoadBalancerNodePorts ?? true));

export const needsHealthCheckPort = ({ spec }: Service): boolean =>
  spec.type === 'LoadBalancer' && spec.externalTrafficPolicy === 'Local';

export const isExternallyAccessible = ({ spec }: Service): boolean =>
  spec.type === 'NodePort' ||
  spec.type === 'LoadBalancer' ||
  (spec.type === 'ClusterIP' && (spec.externalIPs?.length ?? 0) > 0);

export const nodePortsOf = ({ spec }: Service): number[] =>
  (spec.ports ?? []).flatMap(({ nodePort }) => (nodePort ? [nodePort] : []));

export const sameClusterIps = (a: Service, b: Service): boolean =>
  sameList(a.spec.clusterIPs, b.spec.clusterIPs);

export const sameIpFamilies = (a: Service, b: Service): boolean =>
  sameList(a.spec.ipFamilies, b.spec.ipFamilies);

const sameList = (a: readonly unknown[] | undefined, b: readonly unknown[] | undefined): boolean =>
  deepEqual(a ?? [], b ?? []);
