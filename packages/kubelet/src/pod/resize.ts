/** In-place resizes of the containers of a running pod. */
import { deepEqual, goJson } from '@coxswain/apimachinery';
import type { Container } from '@coxswain/api/core/v1/container.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { ResizedContainer } from '../runtime.ts';
import type { ContainerRecord } from './container-record.ts';

/** A resize for which the node currently has no room. */
export interface PendingResize {
  readonly message: string;
  readonly generation: number;
}

/** Whether any container's requested resources differ from those that it has. */
export const isResized = (pod: Pod, records: readonly ContainerRecord[]): boolean =>
  containersOf(pod).some((spec) => {
    const record = records.find((one) => one.spec.name === spec.name);
    return record !== undefined && !deepEqual(record.spec.resources ?? {}, spec.resources ?? {});
  });

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

/** Returns the pod with its former resources, while the API may already have the new ones. */
export function beforeResize(pod: Pod, changed: readonly ResizedContainer[]): Pod {
  const earlier = (container: Container) => changed.find(({ to }) => to === container)?.from ?? container;
  const { initContainers, containers } = pod.spec!;
  return {
    ...pod,
    spec: {
      ...pod.spec!,
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

const containersOf = ({ spec }: Pod): readonly Container[] => [
  ...(spec?.initContainers ?? []),
  ...(spec?.containers ?? []),
];
