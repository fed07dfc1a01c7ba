import * as t from '@coxswain/schema';
import { Affinity } from './affinity.ts';
import { Container, EphemeralContainer } from './container.ts';
import { LocalObjectReference } from './local-object-reference.ts';
import { ResourceRequirements } from './resource-requirements.ts';
import { PodSecurityContext } from './security-context.ts';
import { Toleration } from './taint.ts';
import { TopologySpreadConstraint } from './topology-spread-constraint.ts';
import { Volume } from './volume.ts';
import { podParts } from './pod/gated-parts.ts';

export const HostAlias = t.struct('core/v1.HostAlias', {
  ip: t.always(1, t.string, { required: true, go: 'IP' }),
  hostnames: t.optional(2, t.atomicList(t.string)),
});
export interface HostAlias extends t.Static<typeof HostAlias> {}

export const PodDNSConfigOption = t.struct('core/v1.PodDNSConfigOption', {
  name: t.optional(1, t.string),
  value: t.pointer(2, t.string),
});
export interface PodDNSConfigOption extends t.Static<typeof PodDNSConfigOption> {}

export const PodDNSConfig = t.struct('core/v1.PodDNSConfig', {
  nameservers: t.optional(1, t.atomicList(t.string)),
  searches: t.optional(2, t.atomicList(t.string)),
  options: t.optional(3, t.atomicList(PodDNSConfigOption)),
});
export interface PodDNSConfig extends t.Static<typeof PodDNSConfig> {}

export const PodOS = t.struct('core/v1.PodOS', {
  name: t.always(1, t.named('v1.OSName', t.string), { required: true }),
});
export interface PodOS extends t.Static<typeof PodOS> {}

export const PodReadinessGate = t.struct('core/v1.PodReadinessGate', {
  conditionType: t.always(1, t.named('v1.PodConditionType', t.string), { required: true }),
});
export interface PodReadinessGate extends t.Static<typeof PodReadinessGate> {}

export const PodResourceClaim = t.struct('core/v1.PodResourceClaim', {
  name: t.always(1, t.string, { required: true }),
  resourceClaimName: t.pointer(3, t.string),
  resourceClaimTemplateName: t.pointer(4, t.string),
});
export interface PodResourceClaim extends t.Static<typeof PodResourceClaim> {}

export const PodSchedulingGate = t.struct('core/v1.PodSchedulingGate', {
  name: t.always(1, t.string, { required: true }),
});
export interface PodSchedulingGate extends t.Static<typeof PodSchedulingGate> {}

export const PodSchedulingGroup = t.struct(
  'core/v1.PodSchedulingGroup',
  {
    podGroupName: t.pointer(1, t.string),
  },
  { unions: [{ fields: { podGroupName: 'PodGroupName' } }] },
);
export interface PodSchedulingGroup extends t.Static<typeof PodSchedulingGroup> {}

export const PodSpec = t.struct(
  'core/v1.PodSpec',
  {
    volumes: t.optional(1, t.listMap(Volume, ['name']), { patch: 'merge,retainKeys', patchKey: 'name' }),
    initContainers: t.optional(20, t.listMap(Container, ['name']), { patch: 'merge', patchKey: 'name' }),
    containers: t.always(2, t.listMap(Container, ['name']), {
      required: true,
      patch: 'merge',
      patchKey: 'name',
    }),
    ephemeralContainers: t.optional(34, t.listMap(EphemeralContainer, ['name']), {
      patch: 'merge',
      patchKey: 'name',
    }),
    restartPolicy: t.optional(3, t.named('v1.RestartPolicy', t.oneOf(['Always', 'OnFailure', 'Never'])), {
      default: 'Always',
    }),
    terminationGracePeriodSeconds: t.pointer(4, t.int64, { default: 30 }),
    activeDeadlineSeconds: t.pointer(5, t.int64),
    dnsPolicy: t.optional(
      6,
      t.named('v1.DNSPolicy', t.oneOf(['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'])),
      {
        default: 'ClusterFirst',
        go: 'DNSPolicy',
      },
    ),
    nodeSelector: t.optional(7, t.atomicMap(t.string)),
    serviceAccountName: t.optional(8, t.string),
    serviceAccount: t.optional(9, t.string, { go: 'DeprecatedServiceAccount' }),
    automountServiceAccountToken: t.pointer(21, t.bool),
    nodeName: t.optional(10, t.string),
    hostNetwork: t.optional(11, t.bool),
    hostPID: t.optional(12, t.bool),
    hostIPC: t.optional(13, t.bool),
    shareProcessNamespace: t.pointer(27, t.bool),
    securityContext: t.pointer(14, PodSecurityContext, { default: {} }),
    imagePullSecrets: t.optional(15, t.listMap(LocalObjectReference, ['name']), {
      patch: 'merge',
      patchKey: 'name',
    }),
    hostname: t.optional(16, t.string),
    subdomain: t.optional(17, t.string),
    affinity: t.pointer(18, Affinity),
    schedulerName: t.optional(19, t.string, { default: 'default-scheduler' }),
    tolerations: t.optional(22, t.atomicList(Toleration)),
    hostAliases: t.optional(23, t.listMap(HostAlias, ['ip']), { patch: 'merge', patchKey: 'ip' }),
    priorityClassName: t.optional(24, t.string),
    priority: t.pointer(25, t.int32),
    dnsConfig: t.pointer(26, PodDNSConfig, { go: 'DNSConfig' }),
    readinessGates: t.optional(28, t.atomicList(PodReadinessGate)),
    runtimeClassName: t.pointer(29, t.string),
    enableServiceLinks: t.pointer(30, t.bool),
    preemptionPolicy: t.pointer(
      31,
      t.named('v1.PreemptionPolicy', t.oneOf(['PreemptLowerPriority', 'Never'])),
    ),
    overhead: t.optional(32, t.named('v1.ResourceList', t.map(t.quantity))),
    topologySpreadConstraints: t.optional(
      33,
      t.listMap(TopologySpreadConstraint, ['topologyKey', 'whenUnsatisfiable']),
      { patch: 'merge', patchKey: 'topologyKey' },
    ),
    setHostnameAsFQDN: t.pointer(35, t.bool),
    os: t.pointer(36, PodOS, { go: 'OS' }),
    hostUsers: t.pointer(37, t.bool),
    schedulingGates: t.optional(38, t.listMap(PodSchedulingGate, ['name']), {
      patch: 'merge',
      patchKey: 'name',
    }),
    resourceClaims: t.optional(39, t.listMap(PodResourceClaim, ['name']), {
      patch: 'merge,retainKeys',
      patchKey: 'name',
      gate: 'DynamicResourceAllocation',
    }),
    resources: t.pointer(40, ResourceRequirements, { gate: 'PodLevelResources' }),
    hostnameOverride: t.pointer(41, t.string, { gate: 'HostnameOverride' }),
    schedulingGroup: t.pointer(43, PodSchedulingGroup, { gate: 'GenericWorkload' }),
  },
  { gated: podParts },
);
export interface PodSpec extends t.Static<typeof PodSpec> {}
