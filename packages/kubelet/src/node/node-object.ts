import { formatTime, type KubeObject } from '@coxswain/apimachinery';
import type { Node } from '@coxswain/api/core/v1/node.ts';
import { declaredFeatures } from './declared-features.ts';
import { defaultCapacity, type NodeSpec } from './node-spec.ts';

/** The Kubernetes version that this kubelet implements; clients compare it. */
export const kubeletVersion = 'v1.36.3';
const kubeletPort = 10250;

export function nodeObject(spec: NodeSpec, runtimeVersion: string, nowMs: number): Node & KubeObject {
  const capacity = { ...defaultCapacity, ...spec.capacity };
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name: spec.name,
      labels: { ...nodeLabels(spec.name), ...spec.labels },
      annotations: { 'volumes.kubernetes.io/controller-managed-attach-detach': 'true', ...spec.annotations },
    },
    spec: {
      ...(spec.taints === undefined ? {} : { taints: spec.taints }),
      podCIDR: spec.podCidr,
      podCIDRs: [spec.podCidr],
    },
    status: {
      capacity,
      allocatable: capacity,
      conditions: nodeConditions(nowMs, nowMs),
      addresses: [
        { type: 'InternalIP', address: spec.address },
        { type: 'Hostname', address: spec.name },
      ],
      daemonEndpoints: { kubeletEndpoint: { Port: kubeletPort } },
      nodeInfo: nodeInfo(runtimeVersion),
      features: { supplementalGroupsPolicy: true },
      declaredFeatures,
    },
  } as unknown as Node & KubeObject;
}

export const nodeLabels = (name: string): Readonly<Record<string, string>> => ({
  'beta.kubernetes.io/arch': 'amd64',
  'beta.kubernetes.io/os': 'linux',
  'kubernetes.io/arch': 'amd64',
  'kubernetes.io/hostname': name,
  'kubernetes.io/os': 'linux',
});

/** The conditions of a healthy node, which a simulated one always is. */
export function nodeConditions(heartbeatMs: number, transitionMs: number): readonly object[] {
  const times = { lastHeartbeatTime: formatTime(heartbeatMs), lastTransitionTime: formatTime(transitionMs) };
  return conditionTexts.map(([type, status, reason, message]) => ({
    type,
    status,
    ...times,
    reason,
    message,
  }));
}

const conditionTexts = [
  ['MemoryPressure', 'False', 'KubeletHasSufficientMemory', 'kubelet has sufficient memory available'],
  ['DiskPressure', 'False', 'KubeletHasNoDiskPressure', 'kubelet has no disk pressure'],
  ['PIDPressure', 'False', 'KubeletHasSufficientPID', 'kubelet has sufficient PID available'],
  ['Ready', 'True', 'KubeletReady', 'kubelet is posting ready status'],
] as const;

const nodeInfo = (runtimeVersion: string) => ({
  machineID: '',
  systemUUID: '',
  bootID: '',
  kernelVersion: 'simulated',
  osImage: 'Coxswain simulated node',
  containerRuntimeVersion: runtimeVersion,
  kubeletVersion,
  kubeProxyVersion: '',
  operatingSystem: 'linux',
  architecture: 'amd64',
});
