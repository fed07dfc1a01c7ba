/** Advice on how to satisfy each plugin of the scheduler. */

import { inLanguages } from '../../language/language.ts';

const advice = inLanguages<Readonly<Record<string, string>>>(
  {
    NodeResourcesFit: 'Request less, free what other pods have requested there, or add a node.',
    TaintToleration: 'Give the pod a toleration for the taint, or remove the taint from the node.',
    NodeAffinity: 'Label the node as the pod requires, or relax nodeSelector and nodeAffinity.',
    NodeName: 'The pod names its node in spec.nodeName: let it name another, or none.',
    NodeUnschedulable: 'Uncordon the node, or let the pod tolerate node.kubernetes.io/unschedulable.',
    NodePorts: 'Another pod on the node has the host port: use another one, or none.',
    InterPodAffinity: 'Loosen podAffinity or podAntiAffinity, or move the pods that they select.',
    PodTopologySpread: 'Allow more skew, add nodes to the emptier domains, or use ScheduleAnyway.',
    VolumeBinding: 'Let the claim be bound: check its StorageClass, and the nodes that can use its volume.',
    VolumeZone: 'The volume is in another zone: use a node there, or another volume.',
    VolumeRestrictions: 'The volume is used by another pod that does not share it.',
    NodeVolumeLimits: 'The node has as many volumes as its driver allows: move a pod, or add a node.',
    DynamicResources: 'Check the ResourceClaim of the pod: the node has no free device that matches.',
    SchedulingGates: 'Remove the gates in spec.schedulingGates, or wait until their controller does.',
  },
  {
    NodeResourcesFit: '减少请求量，释放该节点上其他 Pod 请求的资源，或增加节点。',
    TaintToleration: '为 Pod 添加对该污点的容忍，或移除节点上的污点。',
    NodeAffinity: '按 Pod 的要求给节点加标签，或放宽 nodeSelector 与 nodeAffinity。',
    NodeName: 'Pod 在 spec.nodeName 中指定了节点：改为其他节点，或不指定。',
    NodeUnschedulable: '取消节点的封锁，或让 Pod 容忍 node.kubernetes.io/unschedulable。',
    NodePorts: '节点上另一个 Pod 占用了该主机端口：换一个端口，或不用主机端口。',
    InterPodAffinity: '放宽 podAffinity 或 podAntiAffinity，或迁移其涉及的 Pod。',
    PodTopologySpread: '允许更大的偏差，在较空的拓扑域增加节点，或使用 ScheduleAnyway。',
    VolumeBinding: '让声明得到绑定：检查其 StorageClass、卷以及卷可用的位置。',
    VolumeZone: '卷位于另一个可用区：使用该区的节点，或换一个卷。',
    VolumeRestrictions: '该卷正被另一个不共享它的 Pod 使用。',
    NodeVolumeLimits: '节点上的卷已达驱动上限：迁移一个 Pod，或增加节点。',
    DynamicResources: '检查 Pod 的 ResourceClaim：节点上没有合适的空闲设备。',
    SchedulingGates: '移除 spec.schedulingGates 中的门控，或等待其负责方移除。',
  },
);

/** Empty for third-party plugins and extenders. */
export const adviceFor = (plugin: string): string => advice()[plugin] ?? '';
