/** Nodes and pods as stories have them. */
import type { KubeObject } from '@coxswain/apimachinery';

interface NodeParts {
  readonly labels?: Readonly<Record<string, string>>;
  /** Keys; the effect is NoSchedule. */
  readonly taints?: readonly string[];
  readonly allocatable?: Readonly<Record<string, string>>;
}

/** Four cores, 8Gi and ten pods, unless told otherwise. */
export const node = (name: string, { labels, taints, allocatable }: NodeParts = {}): KubeObject => {
  const resources = { cpu: '4', memory: '8Gi', pods: '10', ...allocatable };
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels: { 'kubernetes.io/hostname': name, ...labels } },
    spec: { ...(taints && { taints: taints.map((key) => ({ key, effect: 'NoSchedule' })) }) },
    status: { allocatable: resources, capacity: resources },
  } as unknown as KubeObject;
};

interface PodParts {
  readonly nodeName?: string;
  readonly priority?: number;
  readonly cpu?: string;
  /** Limits are the same. */
  readonly requests?: Readonly<Record<string, string>>;
  readonly initRequests?: Readonly<Record<string, string>>;
}

const container = (name: string, requests: Readonly<Record<string, string>>) => ({
  name,
  image: 'example.com/image:1',
  resources: { requests, limits: requests },
});

export const pod = (
  name: string,
  { nodeName, priority, cpu = '100m', requests, initRequests }: PodParts = {},
): KubeObject =>
  ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'default' },
    spec: {
      containers: [container('c', { cpu, ...requests })],
      ...(initRequests && { initContainers: [container('i', { cpu, ...initRequests })] }),
      ...(nodeName !== undefined && { nodeName }),
      ...(priority !== undefined && { priority }),
    },
  }) as unknown as KubeObject;
