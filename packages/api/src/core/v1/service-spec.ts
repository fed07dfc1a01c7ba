import * as t from '@coxswain/schema';
import { ServicePort } from './service-port.ts';

export const ClientIPConfig = t.struct('core/v1.ClientIPConfig', {
  timeoutSeconds: t.pointer(1, t.int32),
});
export interface ClientIPConfig extends t.Static<typeof ClientIPConfig> {}

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
