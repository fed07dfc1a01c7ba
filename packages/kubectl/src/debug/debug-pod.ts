/** The fields of a pod that debugging changes. */
import type { Live } from '@coxswain/apimachinery';
import type * as core from '@coxswain/api/core/v1/index.ts';
import type { Pod } from '../logs/containers.ts';

export type SecurityContext = Live<core.SecurityContext>;

export type DebugContainer = Live<core.EphemeralContainer>;

export type ContainerStatus = Live<core.ContainerStatus>;

type Lists = (typeof lists)[number];

export interface DebugPod extends Omit<Pod, 'spec'> {
  readonly spec: Omit<NonNullable<Pod['spec']>, Lists> & {
    readonly [list in Lists]?: readonly DebugContainer[];
  } & { readonly containers: readonly DebugContainer[] };
}

/** In the order in which a container is looked up by name. */
const lists = ['initContainers', 'containers', 'ephemeralContainers'] as const;

export const containersOf = ({ spec }: DebugPod): DebugContainer[] =>
  lists.flatMap((list) => spec[list] ?? []);

/** Returns the pod with its first container of that name changed; the same object if there is none. */
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

/** Returns an object without some of its fields. */
export function without<T extends object, K extends keyof T>(object: T, ...keys: readonly K[]): T {
  const kept = { ...object } as Record<PropertyKey, unknown>;
  for (const key of keys) delete kept[key];
  return kept as T;
}
