import {
  always,
  atomicList,
  atomicMap,
  bool,
  int32,
  kind,
  listMap,
  ObjectMeta,
  oneOf,
  optional,
  pointer,
  string,
  struct,
  named,
} from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { ServicePort } from './service-port.ts';
import { balancerStatusWarnings } from './load-balancer-warnings.ts';
import { Condition } from '../../meta/v1/condition.ts';
import { defaultService } from './service-defaults.ts';
import { serviceColumns } from './service-columns.ts';
import { validateService, validateServiceStatus } from './service-validation.ts';
import { serviceWarnings } from './service-warnings.ts';

export const ClientIPConfig = struct('core/v1.ClientIPConfig', {
  timeoutSeconds: pointer(1, int32),
});
export interface ClientIPConfig extends Static<typeof ClientIPConfig> {}

export const PortStatus = struct('core/v1.PortStatus', {
  port: always(1, int32, { required: true }),
  protocol: always(2, named('v1.Protocol', oneOf(['TCP', 'UDP', 'SCTP'])), { required: true }),
  error: pointer(3, string),
});
export interface PortStatus extends Static<typeof PortStatus> {}

export const LoadBalancerIngress = struct('core/v1.LoadBalancerIngress', {
  ip: optional(1, string, { go: 'IP' }),
  hostname: optional(2, string),
  ipMode: pointer(3, named('v1.LoadBalancerIPMode', string), { go: 'IPMode' }),
  ports: optional(4, atomicList(PortStatus)),
});
export interface LoadBalancerIngress extends Static<typeof LoadBalancerIngress> {}

export const LoadBalancerStatus = struct('core/v1.LoadBalancerStatus', {
  ingress: optional(1, atomicList(LoadBalancerIngress)),
});
export interface LoadBalancerStatus extends Static<typeof LoadBalancerStatus> {}

export const SessionAffinityConfig = struct('core/v1.SessionAffinityConfig', {
  clientIP: pointer(1, ClientIPConfig),
});
export interface SessionAffinityConfig extends Static<typeof SessionAffinityConfig> {}

export const ServiceSpec = struct('core/v1.ServiceSpec', {
  ports: optional(1, listMap(ServicePort, ['port', 'protocol']), { patch: 'merge', patchKey: 'port' }),
  selector: optional(2, atomicMap(string)),
  clusterIP: optional(3, string),
  clusterIPs: optional(18, atomicList(string)),
  type: optional(
    4,
    named('v1.ServiceType', oneOf(['ClusterIP', 'NodePort', 'LoadBalancer', 'ExternalName'])),
    {
      default: 'ClusterIP',
    },
  ),
  externalIPs: optional(5, atomicList(string)),
  sessionAffinity: optional(7, named('v1.ServiceAffinity', oneOf(['ClientIP', 'None'])), { default: 'None' }),
  loadBalancerIP: optional(8, string),
  loadBalancerSourceRanges: optional(9, atomicList(string)),
  externalName: optional(10, string),
  externalTrafficPolicy: optional(11, named('v1.ServiceExternalTrafficPolicy', oneOf(['Cluster', 'Local']))),
  healthCheckNodePort: optional(12, int32),
  publishNotReadyAddresses: optional(13, bool),
  sessionAffinityConfig: pointer(14, SessionAffinityConfig),
  ipFamilies: optional(19, atomicList(named('v1.IPFamily', oneOf(['IPv4', 'IPv6', '']))), {
    go: 'IPFamilies',
  }),
  ipFamilyPolicy: pointer(
    17,
    named('v1.IPFamilyPolicy', oneOf(['SingleStack', 'PreferDualStack', 'RequireDualStack'])),
    {
      go: 'IPFamilyPolicy',
    },
  ),
  allocateLoadBalancerNodePorts: pointer(20, bool),
  loadBalancerClass: pointer(21, string),
  internalTrafficPolicy: pointer(22, named('v1.ServiceInternalTrafficPolicy', oneOf(['Cluster', 'Local']))),
  trafficDistribution: pointer(23, string),
});
export interface ServiceSpec extends Static<typeof ServiceSpec> {}

export const ServiceStatus = struct('core/v1.ServiceStatus', {
  loadBalancer: optional(1, LoadBalancerStatus),
  conditions: optional(2, listMap(Condition, ['type']), { patch: 'merge', patchKey: 'type' }),
});
export interface ServiceStatus extends Static<typeof ServiceStatus> {}

export const Service = kind(
  'core/v1.Service',
  'v1',
  { plural: 'services', shortNames: ['svc'], categories: ['all'], namespaced: true },
  {
    metadata: optional(1, ObjectMeta, { go: 'ObjectMeta' }),
    spec: optional(2, ServiceSpec),
    status: optional(3, ServiceStatus),
  },
  {
    defaults: [defaultService],
    validate: validateService,
    validateStatus: validateServiceStatus,
    warnings: serviceWarnings,
    statusWarnings: balancerStatusWarnings,
    columns: serviceColumns,
    selectableFields: {
      'spec.clusterIP': ({ spec }) => spec.clusterIP ?? '',
      'spec.type': ({ spec }) => spec.type ?? '',
    },
    metadataSelectors: 'listed',
  },
);
export interface Service extends Static<typeof Service> {}
