/** A pod as far as debugging changes it. */
import type { Pod } from '../logs/containers.ts';

export interface SecurityContext {
  readonly runAsUser?: number;
  readonly runAsNonRoot?: boolean;
  readonly privileged?: boolean;
  readonly allowPrivilegeEscalation?: boolean;
  readonly capabilities?: { readonly add?: readonly string[]; readonly drop?: readonly string[] };
  readonly seccompProfile?: { readonly type: string };
}

export interface DebugContainer {
  readonly name: string;
  readonly image?: string;
  readonly imagePullPolicy?: string;
  readonly command?: readonly string[];
  readonly args?: readonly string[];
  readonly env?: readonly unknown[];
  readonly stdin?: boolean;
  readonly tty?: boolean;
  readonly terminationMessagePolicy?: string;
  readonly resources?: unknown;
  readonly securityContext?: SecurityContext;
  readonly livenessProbe?: unknown;
  readonly readinessProbe?: unknown;
  readonly startupProbe?: unknown;
  readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string }[];
  /** Of an ephemeral container only. */
  readonly targetContainerName?: string;
}

export interface ContainerStatus {
  readonly name: string;
  readonly state?: {
    readonly running?: object;
    readonly terminated?: object;
    readonly waiting?: { readonly message?: string };
  };
}

export interface DebugPod extends Omit<Pod, 'spec' | 'status'> {
  readonly spec: {
    readonly containers: readonly DebugContainer[];
    readonly initContainers?: readonly DebugContainer[];
    readonly ephemeralContainers?: readonly DebugContainer[];
    readonly nodeName?: string;
    readonly hostNetwork?: boolean;
    readonly hostPID?: boolean;
    readonly hostIPC?: boolean;
    readonly shareProcessNamespace?: boolean;
    readonly restartPolicy?: string;
    readonly tolerations?: readonly object[];
    readonly securityContext?: { readonly runAsUser?: number };
    readonly volumes?: readonly object[];
  };
  readonly status?: Pod['status'] & {
    readonly initContainerStatuses?: readonly ContainerStatus[];
    readonly containerStatuses?: readonly ContainerStatus[];
    readonly ephemeralContainerStatuses?: readonly ContainerStatus[];
  };
}

/** In the order in which a container is looked for by its name. */
const lists = ['initContainers', 'containers', 'ephemeralContainers'] as const;

export const containersOf = ({ spec }: DebugPod): DebugContainer[] =>
  lists.flatMap((list) => spec[list] ?? []);

/** The pod with its first container of that name changed; the pod itself when it has none. */
export function withContainer(
  pod: DebugPod,
  name: string,
  change: (container: DebugContainer) => DebugContainer,
): DebugPod {
  const list = lists.find((key) => pod.spec[key]?.some((one) => one.name === name));
  if (list === undefined) return pod;
  const containers = [...(pod.spec[list] ?? [])];
  const at = containers.findIndex((one) => one.name === name);
  containers[at] = change(containers[at] as DebugContainer);
  return { ...pod, spec: { ...pod.spec, [list]: containers } };
}

export const withSpec = (pod: DebugPod, fields: Partial<DebugPod['spec']>): DebugPod => ({
  ...pod,
  spec: { ...pod.spec, ...fields },
});

/** An object without some of its fields. */
export function without<T extends object, K extends keyof T>(object: T, ...keys: readonly K[]): T {
  const kept = { ...object } as Record<PropertyKey, unknown>;
  for (const key of keys) delete kept[key];
  return kept as T;
}
