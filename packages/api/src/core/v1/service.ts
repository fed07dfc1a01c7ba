import * as t from '@coxswain/schema';
import { ServicePort } from './service-port.ts';
import { balancerStatusWarnings } from './service/load-balancer-warnings.ts';
import { Condition } from '../../meta/v1/condition.ts';
import { defaultService } from './service/service-defaults.ts';
import { serviceColumns } from './service/service-columns.ts';
import { validateService, validateServiceStatus } from './service/service-validation.ts';
import { serviceWarnings } from './service/service-warnings.ts';

export const ClientIPConfig = t.struct('core/v1.ClientIPConfig', {
  timeoutSeconds: t.pointer(1, t.int32),
});
export interface ClientIPConfig extends t.Static<typeof ClientIPConfig> {}

export const PortStatus = t.struct('core/v1.PortStatus', {
  port: t.always(1, t.int32, { required: true }),
  protocol: t.always(2, t.named('v1.Protocol', t.oneOf(['TCP', 'UDP', 'SCTP'])), { required: true }),
  error: t.pointer(3, t.string),
});
export interface PortStatus extends t.Static<typeof PortStatus> {}

export const LoadBalancerIngress = t.struct('core/v1.LoadBalancerIngress', {
  ip: t.optional(1, t.string, { go: 'IP' }),
  hostname: t.optional(2, t.string),
  ipMode: t.pointer(3, t.named('v1.LoadBalancerIPMode', t.string), { go: 'IPMode' }),
  ports: t.optional(4, t.atomicList(PortStatus)),
});
export interface LoadBalancerIngress extends t.Static<typeof LoadBalancerIngress> {}

export const LoadBalancerStatus = t.struct('core/v1.LoadBalancerStatus', {
  ingress: t.optional(1, t.atomicList(LoadBalancerIngress)),
});
export interface LoadBalancerStatus extends t.Static<typeof LoadBalancerStatus> {}

export const SessionAffinityConfig = t.struct('core/v1.SessionAffinityConfig', {
  clientIP: t.pointer(1, ClientIPConfig),
});
export interface SessionAffinityConfig extends t.Static<typeof SessionAffinityConfig> {}

export const ServiceSpec = t.struct('core/v1.ServiceSpec', {
  ports: t.optional(1, t.listMap(ServicePort, ['port', 'protocol']), { patch: 'merge', patchKey: 'port' }),
  selector: t.optional(2, t.atomicMap(t.string)),
  clusterIP: t.optional(3, t.string),
  clusterIPs: t.optional(18, t.atomicList(t.string)),
  type: t.optional(
    4,
    t.named('v1.ServiceType', t.oneOf(['ClusterIP', 'NodePort', 'LoadBalancer', 'ExternalName'])),
    {
      default: 'ClusterIP',
    },
  ),
  externalIPs: t.optional(5, t.atomicList(t.string)),
  sessionAffinity: t.optional(7, t.named('v1.ServiceAffinity', t.oneOf(['ClientIP', 'None'])), {
    default: 'None',
  }),
  loadBalancerIP: t.optional(8, t.string),
  loadBalancerSourceRanges: t.optional(9, t.atomicList(t.string)),
  externalName: t.optional(10, t.string),
  externalTrafficPolicy: t.optional(
    11,
    t.named('v1.ServiceExternalTrafficPolicy', t.oneOf(['Cluster', 'Local'])),
  ),
  healthCheckNodePort: t.optional(12, t.int32),
  publishNotReadyAddresses: t.optional(13, t.bool),
  sessionAffinityConfig: t.pointer(14, SessionAffinityConfig),
  ipFamilies: t.optional(19, t.atomicList(t.named('v1.IPFamily', t.oneOf(['IPv4', 'IPv6', '']))), {
    go: 'IPFamilies',
  }),
  ipFamilyPolicy: t.pointer(
    17,
    t.named('v1.IPFamilyPolicy', t.oneOf(['SingleStack', 'PreferDualStack', 'RequireDualStack'])),
    {
      go: 'IPFamilyPolicy',
    },
  ),
  allocateLoadBalancerNodePorts: t.pointer(20, t.bool),
  loadBalancerClass: t.pointer(21, t.string),
  internalTrafficPolicy: t.pointer(
    22,
    t.named('v1.ServiceInternalTrafficPolicy', t.oneOf(['Cluster', 'Local'])),
  ),
  trafficDistribution: t.pointer(23, t.string),
});
export interface ServiceSpec extends t.Static<typeof ServiceSpec> {}

export const ServiceStatus = t.struct('core/v1.ServiceStatus', {
  loadBalancer: t.optional(1, LoadBalancerStatus),
  conditions: t.optional(2, t.listMap(Condition, ['type']), { patch: 'merge', patchKey: 'type' }),
});
export interface ServiceStatus extends t.Static<typeof ServiceStatus> {}

export const Service = t.kind(
  'core/v1.Service',
  'v1',
  { plural: 'services', shortNames: ['svc'], categories: ['all'], namespaced: true },
  {
    metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
    spec: t.optional(2, ServiceSpec),
    status: t.optional(3, ServiceStatus),
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
export interface Service extends t.Static<typeof Service> {}
