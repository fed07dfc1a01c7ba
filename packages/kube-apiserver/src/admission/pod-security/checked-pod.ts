/** A pod or pod template as the checks see it, and the wording of violations. */
import type { Pod } from '@coxswain/api/core/v1/pod.ts';

export type PodSpec = Pod['spec'];
export type Container = PodSpec['containers'][number];

export interface CheckedPod {
  readonly annotations: Readonly<Record<string, string>>;
  readonly spec: PodSpec;
}

/** A violation that a check found. */
export interface Violation {
  /** `host namespaces` */
  readonly reason: string;
  /** `hostNetwork=true` */
  readonly detail: string;
}

/** Init containers first, then containers, then ephemeral ones. */
export const containersOf = ({ spec }: CheckedPod): readonly Container[] => [
  ...(spec.initContainers ?? []),
  ...(spec.containers ?? []),
  ...((spec.ephemeralContainers ?? []) as readonly Container[]),
];

export const namesOf = (containers: readonly Container[]): string[] => containers.map(({ name }) => name);

export const quoted = (items: readonly string[]): string => `"${items.join('", "')}"`;

export const counted = (items: readonly unknown[], singular: string, plural = `${singular}s`): string =>
  items.length === 1 ? singular : plural;

/** `container "a"`, `containers "a", "b"` */
export const containersText = (names: readonly string[]): string =>
  `${counted(names, 'container')} ${quoted(names)}`;

/** `pod and container "a"`: everything that sets the field. Empty when nothing does. */
export const settersText = (isPod: boolean, containers: readonly string[]): string =>
  [...(isPod ? ['pod'] : []), ...(containers.length > 0 ? [containersText(containers)] : [])].join(' and ');

export const distinct = (items: readonly string[]): string[] => [...new Set(items)].sort();
