import {
  always,
  atomicList,
  atomicMap,
  bool,
  int32,
  int64,
  listMap,
  map,
  oneOf,
  optional,
  pointer,
  quantity,
  string,
  struct,
  named,
} from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { Affinity } from './affinity.ts';
import { Container, EphemeralContainer } from './container.ts';
import { LocalObjectReference } from './local-object-reference.ts';
import { ResourceRequirements } from './resource-requirements.ts';
import { PodSecurityContext } from './security-context.ts';
import { Toleration } from './taint.ts';
import { TopologySpreadConstraint } from './topology-spread-constraint.ts';
import { Volume } from './volume.ts';

export const HostAlias = struct('core/v1.HostAlias', {
  ip: always(1, string, { required: true, go: 'IP' }),
  hostnames: optional(2, atomicList(string)),
});
export interface HostAlias extends Static<typeof HostAlias> {}

export const PodDNSConfigOption = struct('core/v1.PodDNSConfigOption', {
  name: optional(1, string),
  value: pointer(2, string),
});
export interface PodDNSConfigOption extends Static<typeof PodDNSConfigOption> {}

export const PodDNSConfig = struct('core/v1.PodDNSConfig', {
  nameservers: optional(1, atomicList(string)),
  searches: optional(2, atomicList(string)),
  options: optional(3, atomicList(PodDNSConfigOption)),
});
export interface PodDNSConfig extends Static<typeof PodDNSConfig> {}

export const PodOS = struct('core/v1.PodOS', {
  name: always(1, named('v1.OSName', string), { required: true }),
});
export interface PodOS extends Static<typeof PodOS> {}

export const PodReadinessGate = struct('core/v1.PodReadinessGate', {
  conditionType: always(1, named('v1.PodConditionType', string), { required: true }),
});
export interface PodReadinessGate extends Static<typeof PodReadinessGate> {}

export const PodResourceClaim = struct('core/v1.PodResourceClaim', {
  name: always(1, string, { required: true }),
  resourceClaimName: pointer(3, string),
  resourceClaimTemplateName: pointer(4, string),
});
export interface PodResourceClaim extends Static<typeof PodResourceClaim> {}

export const PodSchedulingGate = struct('core/v1.PodSchedulingGate', {
  name: always(1, string, { required: true }),
});
export interface PodSchedulingGate extends Static<typeof PodSchedulingGate> {}

export const PodSchedulingGroup = struct(
  'core/v1.PodSchedulingGroup',
  {
    podGroupName: pointer(1, string),
  },
  { unions: [{ fields: { podGroupName: 'PodGroupName' } }] },
);
export interface PodSchedulingGroup extends Static<typeof PodSchedulingGroup> {}

export const PodSpec = struct('core/v1.PodSpec', {
  volumes: optional(1, listMap(Volume, ['name']), { patch: 'merge,retainKeys', patchKey: 'name' }),
  initContainers: optional(20, listMap(Container, ['name']), { patch: 'merge', patchKey: 'name' }),
  containers: always(2, listMap(Container, ['name']), { required: true, patch: 'merge', patchKey: 'name' }),
  ephemeralContainers: optional(34, listMap(EphemeralContainer, ['name']), {
    patch: 'merge',
    patchKey: 'name',
  }),
  restartPolicy: optional(3, named('v1.RestartPolicy', oneOf(['Always', 'OnFailure', 'Never'])), {
    default: 'Always',
  }),
  terminationGracePeriodSeconds: pointer(4, int64, { default: 30 }),
  activeDeadlineSeconds: pointer(5, int64),
  dnsPolicy: optional(
    6,
    named('v1.DNSPolicy', oneOf(['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'])),
    {
      default: 'ClusterFirst',
      go: 'DNSPolicy',
    },
  ),
  nodeSelector: optional(7, atomicMap(string)),
  serviceAccountName: optional(8, string),
  serviceAccount: optional(9, string, { go: 'DeprecatedServiceAccount' }),
  automountServiceAccountToken: pointer(21, bool),
  nodeName: optional(10, string),
  hostNetwork: optional(11, bool),
  hostPID: optional(12, bool),
  hostIPC: optional(13, bool),
  shareProcessNamespace: pointer(27, bool),
  securityContext: pointer(14, PodSecurityContext, { default: {} }),
  imagePullSecrets: optional(15, listMap(LocalObjectReference, ['name']), {
    patch: 'merge',
    patchKey: 'name',
  }),
  hostname: optional(16, string),
  subdomain: optional(17, string),
  affinity: pointer(18, Affinity),
  schedulerName: optional(19, string, { default: 'default-scheduler' }),
  tolerations: optional(22, atomicList(Toleration)),
  hostAliases: optional(23, listMap(HostAlias, ['ip']), { patch: 'merge', patchKey: 'ip' }),
  priorityClassName: optional(24, string),
  priority: pointer(25, int32),
  dnsConfig: pointer(26, PodDNSConfig, { go: 'DNSConfig' }),
  readinessGates: optional(28, atomicList(PodReadinessGate)),
  runtimeClassName: pointer(29, string),
  enableServiceLinks: pointer(30, bool),
  preemptionPolicy: pointer(31, named('v1.PreemptionPolicy', oneOf(['PreemptLowerPriority', 'Never']))),
  overhead: optional(32, named('v1.ResourceList', map(quantity))),
  topologySpreadConstraints: optional(
    33,
    listMap(TopologySpreadConstraint, ['topologyKey', 'whenUnsatisfiable']),
    { patch: 'merge', patchKey: 'topologyKey' },
  ),
  setHostnameAsFQDN: pointer(35, bool),
  os: pointer(36, PodOS, { go: 'OS' }),
  hostUsers: pointer(37, bool),
  schedulingGates: optional(38, listMap(PodSchedulingGate, ['name']), { patch: 'merge', patchKey: 'name' }),
  resourceClaims: optional(39, listMap(PodResourceClaim, ['name']), {
    patch: 'merge,retainKeys',
    patchKey: 'name',
    gate: 'DynamicResourceAllocation',
  }),
  resources: pointer(40, ResourceRequirements, { gate: 'PodLevelResources' }),
  hostnameOverride: pointer(41, string, { gate: 'HostnameOverride' }),
  schedulingGroup: pointer(43, PodSchedulingGroup, { gate: 'GenericWorkload' }),
});
export interface PodSpec extends Static<typeof PodSpec> {}
