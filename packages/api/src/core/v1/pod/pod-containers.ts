/** All containers of a pod, of every sort. */

import type { FieldPath } from '@coxswain/apimachinery';
import type { Container, EphemeralContainer } from '../container.ts';
import type { PodSpec } from '../pod-spec.ts';

export const containersOf = (spec: PodSpec): readonly (Container | EphemeralContainer)[] => [
  ...(spec.initContainers ?? []),
  ...(spec.containers ?? []),
  ...(spec.ephemeralContainers ?? []),
];

/** Calls `visit` with each container and its path: init containers first, in upstream's order. */
export function visitContainers(
  spec: PodSpec,
  path: FieldPath,
  visit: (container: Container | EphemeralContainer, path: FieldPath) => void,
): void {
  for (const list of ['initContainers', 'containers', 'ephemeralContainers'] as const) {
    const containers = spec[list] ?? [];
    for (let index = 0; index < containers.length; index++)
      visit(containers[index]!, path.child(list).index(index));
  }
}
