/** Short constructors of policies and pods for tests. */
import type { NetworkPolicyObject } from '../src/plan/compiled-policy.ts';
import type { PodObject } from '../src/plan/policy-pod.ts';

export interface PodSketch {
  readonly namespace: string;
  readonly name: string;
  readonly labels?: Record<string, string>;
  readonly addresses: readonly string[];
  readonly nodeName?: string;
  readonly hostNetwork?: boolean;
  readonly phase?: string;
  readonly createdAt?: string;
  readonly ports?: readonly { name: string; containerPort: number; protocol: string }[];
}

export const pod = (sketch: PodSketch): PodObject =>
  ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      namespace: sketch.namespace,
      name: sketch.name,
      uid: `${sketch.namespace}-${sketch.name}`,
      labels: sketch.labels ?? { pod: sketch.name },
      creationTimestamp: sketch.createdAt ?? '2026-01-01T00:00:00Z',
    },
    spec: {
      nodeName: sketch.nodeName ?? 'node',
      hostNetwork: sketch.hostNetwork ?? false,
      containers: [{ name: 'c', ports: sketch.ports ?? [] }],
    },
    status: {
      phase: sketch.phase ?? 'Running',
      podIP: sketch.addresses[0],
      podIPs: sketch.addresses.map((ip) => ({ ip })),
    },
  }) as unknown as PodObject;

export const policy = (namespace: string, name: string, spec: object): NetworkPolicyObject =>
  ({
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { namespace, name },
    spec,
  }) as unknown as NetworkPolicyObject;

/** Pods whose label `pod` is one of these. */
export const podsNamed = (...names: readonly string[]) => ({
  podSelector: { matchExpressions: [{ key: 'pod', operator: 'In', values: names }] },
});

/** Namespaces whose label `ns` is one of these. */
export const namespacesNamed = (...names: readonly string[]) => ({
  namespaceSelector: { matchExpressions: [{ key: 'ns', operator: 'In', values: names }] },
});

export const tcp = (port: number | string) => ({ protocol: 'TCP', port });
export const udp = (port: number | string) => ({ protocol: 'UDP', port });
