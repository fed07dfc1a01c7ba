/** Builds the Node object of this machine. */
import type { Node } from '@coxswain/api/core/v1/node.ts';
import { formatTime, type KubeObject } from '@coxswain/apimachinery';
import type { Machine } from './machine.ts';
import { kubeletVersion } from './node-object.ts';

export interface NodeCondition {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason: string;
  readonly message: string;
}

export interface RealNodeFacts {
  readonly name: string;
  readonly addresses: readonly string[];
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: readonly { readonly key: string; readonly value?: string; readonly effect: string }[];
  readonly unschedulable: boolean;
  readonly podCidr: string;
  readonly providerId: string;
  readonly machine: Machine;
  readonly capacity: Readonly<Record<string, string>>;
  readonly allocatable: Readonly<Record<string, string>>;
  readonly port: number;
  /** `containerd://1.6.20` */
  readonly runtimeVersion: string;
  readonly conditions: readonly NodeCondition[];
  readonly images: readonly { readonly names: readonly string[]; readonly sizeBytes: number }[];
  readonly runtimeHandlers: readonly {
    readonly name: string;
    readonly recursiveReadOnlyMounts: boolean;
    readonly userNamespaces: boolean;
  }[];
  readonly volumesInUse: readonly string[];
  /** Undefined if the runtime doesn't report any. */
  readonly features: { readonly supplementalGroupsPolicy: boolean } | undefined;
  readonly declaredFeatures: readonly string[];
  readonly nowMs: number;
}

/** Omits transition times, which depend on earlier conditions. */
export function realNode(facts: RealNodeFacts): Node & KubeObject {
  const { name, taints, podCidr, providerId } = facts;
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name,
      labels: { ...standardLabels(name, facts.machine.architecture), ...facts.labels },
      annotations: { 'volumes.kubernetes.io/controller-managed-attach-detach': 'true' },
    },
    spec: {
      ...(taints.length === 0 ? {} : { taints }),
      ...(podCidr === '' ? {} : { podCIDR: podCidr, podCIDRs: [podCidr] }),
      ...(providerId === '' ? {} : { providerID: providerId }),
      ...(facts.unschedulable ? { unschedulable: true } : {}),
    },
    status: realNodeStatus(facts),
  } as unknown as Node & KubeObject;
}

function realNodeStatus(facts: RealNodeFacts): object {
  const { machine, capacity, allocatable, port, runtimeVersion } = facts;
  return {
    capacity,
    allocatable,
    conditions: facts.conditions.map((condition) => ({
      ...condition,
      lastHeartbeatTime: formatTime(facts.nowMs),
      lastTransitionTime: formatTime(facts.nowMs),
    })),
    addresses: [
      ...facts.addresses.map((address) => ({ type: 'InternalIP', address })),
      { type: 'Hostname', address: facts.name },
    ],
    daemonEndpoints: { kubeletEndpoint: { Port: port } },
    nodeInfo: {
      machineID: machine.machineId,
      systemUUID: machine.systemUuid,
      bootID: machine.bootId,
      kernelVersion: machine.kernelVersion,
      osImage: machine.osImage,
      containerRuntimeVersion: runtimeVersion,
      kubeletVersion,
      kubeProxyVersion: '',
      operatingSystem: 'linux',
      architecture: machine.architecture,
      ...(machine.swapBytes > 0 ? { swap: { capacity: machine.swapBytes } } : {}),
    },
    images: facts.images,
    ...(facts.runtimeHandlers.length === 0
      ? {}
      : {
          runtimeHandlers: facts.runtimeHandlers.map(({ name, ...features }) => ({ name, features })),
        }),
    volumesInUse: facts.volumesInUse,
    ...(facts.features === undefined ? {} : { features: facts.features }),
    declaredFeatures: facts.declaredFeatures,
  };
}

const standardLabels = (name: string, architecture: string): Record<string, string> => ({
  'beta.kubernetes.io/arch': architecture,
  'beta.kubernetes.io/os': 'linux',
  'kubernetes.io/arch': architecture,
  'kubernetes.io/hostname': name,
  'kubernetes.io/os': 'linux',
});

/** The health of a node, from which its conditions follow. */
export interface NodeHealth {
  readonly memoryPressure: boolean;
  readonly diskPressure: boolean;
  readonly pidPressure: boolean;
  /** Why pods can't run; empty if they can. */
  readonly notReady: readonly string[];
}

export function conditionsOf({
  memoryPressure,
  diskPressure,
  pidPressure,
  notReady,
}: NodeHealth): NodeCondition[] {
  return [
    memoryPressure
      ? bad('MemoryPressure', 'KubeletHasInsufficientMemory', 'kubelet has insufficient memory available')
      : good('MemoryPressure', 'KubeletHasSufficientMemory', 'kubelet has sufficient memory available'),
    diskPressure
      ? bad('DiskPressure', 'KubeletHasDiskPressure', 'kubelet has disk pressure')
      : good('DiskPressure', 'KubeletHasNoDiskPressure', 'kubelet has no disk pressure'),
    pidPressure
      ? bad('PIDPressure', 'KubeletHasInsufficientPID', 'kubelet has insufficient PID available')
      : good('PIDPressure', 'KubeletHasSufficientPID', 'kubelet has sufficient PID available'),
    notReady.length === 0
      ? { type: 'Ready', status: 'True', reason: 'KubeletReady', message: 'kubelet is posting ready status' }
      : { type: 'Ready', status: 'False', reason: 'KubeletNotReady', message: aggregate(notReady) },
  ];
}

const bad = (type: string, reason: string, message: string): NodeCondition => ({
  type,
  status: 'True',
  reason,
  message,
});
const good = (type: string, reason: string, message: string): NodeCondition => ({
  type,
  status: 'False',
  reason,
  message,
});

const aggregate = (reasons: readonly string[]): string =>
  reasons.length === 1 ? reasons[0]! : `[${reasons.join(', ')}]`;
