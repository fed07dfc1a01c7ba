import * as t from '@coxswain/schema';
import * as appsV1beta1 from '../apps/v1beta1.ts';
import * as appsV1beta2 from '../apps/v1beta2.ts';
import {
  defaultDaemonSetStrategy,
  defaultTemplate,
  inheritTemplateLabels,
  defaultDeploymentStrategy,
} from '../apps/workload-defaults.ts';
import { PodTemplateSpec } from '../core/v1/pod-template-spec.ts';
import { LabelSelector } from '../meta/v1/label-selector.ts';
import * as networking from '../networking/v1/index.ts';
import * as networkingV1beta1 from '../networking/v1beta1.ts';
import { defaultPolicyTypes } from '../networking/v1/network-policy-defaults.ts';
import { podSecurityPolicyKind } from '../policy/pod-security-policy-kind.ts';

export const RollingUpdateDaemonSet = t.structIn('extensions/v1beta1', appsV1beta2.RollingUpdateDaemonSet);
export interface RollingUpdateDaemonSet extends t.Static<typeof RollingUpdateDaemonSet> {}

export const DaemonSetUpdateStrategy = t.struct('extensions/v1beta1.DaemonSetUpdateStrategy', {
  type: t.optional(1, t.named('v1beta1.DaemonSetUpdateStrategyType', t.string), { default: 'OnDelete' }),
  rollingUpdate: t.pointer(2, RollingUpdateDaemonSet),
});
export interface DaemonSetUpdateStrategy extends t.Static<typeof DaemonSetUpdateStrategy> {}

export const DaemonSetSpec = t.struct('extensions/v1beta1.DaemonSetSpec', {
  selector: t.pointer(1, LabelSelector),
  template: t.always(2, PodTemplateSpec),
  updateStrategy: t.optional(3, DaemonSetUpdateStrategy),
  minReadySeconds: t.optional(4, t.int32),
  templateGeneration: t.optional(5, t.int64),
  revisionHistoryLimit: t.pointer(6, t.int32, { default: 10 }),
});
export interface DaemonSetSpec extends t.Static<typeof DaemonSetSpec> {}

export const DaemonSetStatus = t.structIn('extensions/v1beta1', appsV1beta2.DaemonSetStatus);
export interface DaemonSetStatus extends t.Static<typeof DaemonSetStatus> {}

export const DaemonSet = t.kind(
  'extensions/v1beta1.DaemonSet',
  'extensions/v1beta1',
  { plural: 'daemonsets', shortNames: ['ds'], namespaced: true },
  {
    metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
    spec: t.optional(2, DaemonSetSpec),
    status: t.optional(3, DaemonSetStatus),
  },
  {
    defaults: [inheritTemplateLabels, defaultDaemonSetStrategy, defaultTemplate],
    columns: appsV1beta2.DaemonSet.behaviour.columns!,
  },
);
export interface DaemonSet extends t.Static<typeof DaemonSet> {}

export const RollbackConfig = t.structIn('extensions/v1beta1', appsV1beta1.RollbackConfig);
export interface RollbackConfig extends t.Static<typeof RollbackConfig> {}

export const DeploymentStrategy = t.structIn('extensions/v1beta1', appsV1beta2.DeploymentStrategy);
export interface DeploymentStrategy extends t.Static<typeof DeploymentStrategy> {}

export const DeploymentSpec = t.struct('extensions/v1beta1.DeploymentSpec', {
  replicas: t.pointer(1, t.int32, { default: 1 }),
  selector: t.pointer(2, LabelSelector),
  template: t.always(3, PodTemplateSpec),
  strategy: t.optional(4, DeploymentStrategy, { patch: 'retainKeys' }),
  minReadySeconds: t.optional(5, t.int32),
  revisionHistoryLimit: t.pointer(6, t.int32, { default: 2147483647 }),
  paused: t.optional(7, t.bool),
  rollbackTo: t.pointer(8, RollbackConfig),
  progressDeadlineSeconds: t.pointer(9, t.int32, { default: 2147483647 }),
});
export interface DeploymentSpec extends t.Static<typeof DeploymentSpec> {}

export const DeploymentStatus = t.structIn('extensions/v1beta1', appsV1beta2.DeploymentStatus);
export interface DeploymentStatus extends t.Static<typeof DeploymentStatus> {}

export const Deployment = t.kind(
  'extensions/v1beta1.Deployment',
  'extensions/v1beta1',
  { plural: 'deployments', shortNames: ['deploy'], namespaced: true },
  {
    metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
    spec: t.optional(2, DeploymentSpec),
    status: t.optional(3, DeploymentStatus),
  },
  {
    defaults: [inheritTemplateLabels, defaultDeploymentStrategy(1, true), defaultTemplate],
    columns: appsV1beta2.Deployment.behaviour.columns!,
  },
);
export interface Deployment extends t.Static<typeof Deployment> {}

export const DeploymentRollback = t.kindIn('extensions/v1beta1', appsV1beta1.DeploymentRollback);
export interface DeploymentRollback extends t.Static<typeof DeploymentRollback> {}

export const Ingress = t.kindIn('extensions/v1beta1', networkingV1beta1.Ingress);
export interface Ingress extends t.Static<typeof Ingress> {}

export const IPBlock = t.structIn('extensions/v1beta1', networking.IPBlock, {
  fields: { cidr: t.always(1, t.string, { go: 'CIDR' }) },
});
export interface IPBlock extends t.Static<typeof IPBlock> {}

export const NetworkPolicyPort = t.structIn('extensions/v1beta1', networking.NetworkPolicyPort, {
  fields: { protocol: t.pointer(1, t.named('v1.Protocol', t.string)) },
});
export interface NetworkPolicyPort extends t.Static<typeof NetworkPolicyPort> {}

export const NetworkPolicyPeer = t.structIn('extensions/v1beta1', networking.NetworkPolicyPeer, {
  fields: { ipBlock: t.pointer(3, IPBlock, { go: 'IPBlock' }) },
});
export interface NetworkPolicyPeer extends t.Static<typeof NetworkPolicyPeer> {}

export const NetworkPolicyIngressRule = t.struct('extensions/v1beta1.NetworkPolicyIngressRule', {
  ports: t.optional(1, t.atomicList(NetworkPolicyPort)),
  from: t.optional(2, t.atomicList(NetworkPolicyPeer)),
});
export interface NetworkPolicyIngressRule extends t.Static<typeof NetworkPolicyIngressRule> {}

export const NetworkPolicyEgressRule = t.struct('extensions/v1beta1.NetworkPolicyEgressRule', {
  ports: t.optional(1, t.atomicList(NetworkPolicyPort)),
  to: t.optional(2, t.atomicList(NetworkPolicyPeer)),
});
export interface NetworkPolicyEgressRule extends t.Static<typeof NetworkPolicyEgressRule> {}

export const NetworkPolicySpec = t.struct('extensions/v1beta1.NetworkPolicySpec', {
  podSelector: t.always(1, LabelSelector),
  ingress: t.optional(2, t.atomicList(NetworkPolicyIngressRule)),
  egress: t.optional(3, t.atomicList(NetworkPolicyEgressRule)),
  policyTypes: t.optional(4, t.atomicList(t.named('v1beta1.PolicyType', t.string))),
});
export interface NetworkPolicySpec extends t.Static<typeof NetworkPolicySpec> {}

export const NetworkPolicy = t.kindIn(
  'extensions/v1beta1',
  networking.NetworkPolicy,
  { fields: { spec: t.optional(2, NetworkPolicySpec) } },
  { defaults: [defaultPolicyTypes] },
);
export interface NetworkPolicy extends t.Static<typeof NetworkPolicy> {}

export const PodSecurityPolicy = podSecurityPolicyKind('extensions/v1beta1');
export interface PodSecurityPolicy extends t.Static<typeof PodSecurityPolicy> {}

export const ReplicaSetSpec = t.structIn('extensions/v1beta1', appsV1beta2.ReplicaSetSpec, {
  fields: { selector: t.pointer(2, LabelSelector) },
});
export interface ReplicaSetSpec extends t.Static<typeof ReplicaSetSpec> {}

export const ReplicaSetStatus = t.structIn('extensions/v1beta1', appsV1beta2.ReplicaSetStatus);
export interface ReplicaSetStatus extends t.Static<typeof ReplicaSetStatus> {}

export const ReplicaSet = t.kind(
  'extensions/v1beta1.ReplicaSet',
  'extensions/v1beta1',
  { plural: 'replicasets', shortNames: ['rs'], namespaced: true },
  {
    metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
    spec: t.optional(2, ReplicaSetSpec),
    status: t.optional(3, ReplicaSetStatus),
  },
  {
    defaults: [inheritTemplateLabels, defaultTemplate],
    columns: appsV1beta2.ReplicaSet.behaviour.columns!,
  },
);
export interface ReplicaSet extends t.Static<typeof ReplicaSet> {}

export const Scale = t.kindIn('extensions/v1beta1', appsV1beta2.Scale);
export interface Scale extends t.Static<typeof Scale> {}
