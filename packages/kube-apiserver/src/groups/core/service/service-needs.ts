/** What a service needs by its type: addresses, node ports, a health check port. */
import { deepEqual, invalid, invalidError, type StatusError } from '@coxswain/apimachinery';
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

export const refused = (service: Service, field: string, value: unknown, detail: string): StatusError =>
  invalid({ group: '', kind: 'Service' }, service.metadata.name ?? '', [invalidError(field, value, detail)]);

/** A PreferDualStack service whose addresses are unchanged keeps them, whatever families the cluster has now. */
export const isUntouchedDualStack = (service: Service, old: Service): boolean =>
  service.spec.ipFamilyPolicy === 'PreferDualStack' &&
  (old.spec.ipFamilyPolicy ?? 'PreferDualStack') === 'PreferDualStack' &&
  service.spec.type === old.spec.type &&
  sameClusterIps(service, old) &&
  sameIpFamilies(service, old);

const sameList = (a: readonly unknown[] | undefined, b: readonly unknown[] | undefined): boolean =>
  deepEqual(a ?? [], b ?? []);
