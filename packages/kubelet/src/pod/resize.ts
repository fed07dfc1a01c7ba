/** In-place resizes of a running pod and its containers. */
import { deepEqual, goJson } from '@coxswain/apimachinery';
import type { Container } from '@coxswain/api/core/v1/container.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';

type Resources = Container['resources'] | NonNullable<Pod['spec']>['resources'];

/** A resize for which the node currently has no room. */
export interface PendingResize {
  /** As requested. */
  readonly pod: Pod;
  readonly message: string;
  readonly generation: number;
}

/** Whether the pod or any of its containers requests other resources than before. */
export function isResized(pod: Pod, before: Pod): boolean {
  const differ = (one: Resources, other: Resources) => !deepEqual(one ?? {}, other ?? {});
  return (
    differ(before.spec?.resources, pod.spec?.resources) ||
    containersOf(pod).some(({ name, resources }) => {
      const known = containersOf(before).find((one) => one.name === name);
      return known !== undefined && differ(known.resources, resources);
    })
  );
}

/** The container with all of its limits: the pod's apply where it has none of its own. */
export function withPodLimits(container: Container, { spec }: Pod): Container {
  const { cpu, memory } = spec?.resources?.limits ?? {};
  if (cpu === undefined && memory === undefined) return container;
  const limits = { ...(cpu && { cpu }), ...(memory && { memory }), ...container.resources?.limits };
  return { ...container, resources: { ...container.resources, limits } };
}

/** Whether a container's resize policy requires a restart for a change of this resource. */
export function restartsForResize(before: Container, after: Container): boolean {
  const amounts = ({ resources }: Container, name: string) => [
    resources?.requests?.[name],
    resources?.limits?.[name],
  ];
  return (after.resizePolicy ?? []).some(
    ({ resourceName, restartPolicy }) =>
      restartPolicy === 'RestartContainer' &&
      !deepEqual(amounts(before, resourceName), amounts(after, resourceName)),
  );
}

/** The pod with the resources that it has, while the API may already have others. */
export function withResourcesOf(before: Pod, pod: Pod): Pod {
  const earlier = (container: Container) => {
    const known = containersOf(before).find(({ name }) => name === container.name);
    return known === undefined ? container : { ...container, resources: known.resources };
  };
  const { initContainers, containers } = pod.spec!;
  return {
    ...pod,
    spec: {
      ...pod.spec!,
      resources: before.spec?.resources,
      ...(initContainers && { initContainers: initContainers.map(earlier) }),
      containers: containers.map(earlier),
    },
  };
}

/** The message of an event with the requested resources, in a form that clients parse. */
export function resizeMessage(what: string, pod: Pod, error?: string): string {
  const { initContainers = [], containers = [] } = pod.spec ?? {};
  const listed = (all: readonly Container[]) => all.map(({ name, resources = {} }) => ({ name, resources }));
  const summary = {
    ...(initContainers.length === 0 ? {} : { initContainers: listed(initContainers) }),
    containers: listed(containers),
    generation: pod.metadata?.generation ?? 0,
    ...(error === undefined ? {} : { error }),
  };
  return `${what}: ${goJson(summary)}`;
}

/** Those that can be resized. */
export const containersOf = ({ spec }: Pod): readonly Container[] => [
  ...(spec?.initContainers ?? []),
  ...(spec?.containers ?? []),
];
