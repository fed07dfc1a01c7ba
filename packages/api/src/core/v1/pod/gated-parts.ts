/** Features of pods that involve more than one field. */
import type { GatedParts } from '@coxswain/schema';
import type { Container } from '../container.ts';
import type { Volume } from '../volume.ts';

interface Spec extends Readonly<Partial<Record<ContainerList, Container[]>>> {
  volumes?: Volume[] | undefined;
}
type ContainerList = (typeof containerLists)[number];

const containerLists = ['initContainers', 'containers', 'ephemeralContainers'] as const;

const parts = (gate: string, isUsed: (spec: Spec) => boolean, drop: (spec: Spec) => void): GatedParts => ({
  gate,
  isUsed: (value) => isUsed(value as Spec),
  drop: (value) => drop(value as Spec),
});

const containersOf = (spec: Spec): readonly (readonly [ContainerList, Container])[] =>
  containerLists.flatMap((list) => (spec[list] ?? []).map((container) => [list, container] as const));

/** Init containers could always have the policy Always. */
const hasOwnPolicy = (list: ContainerList, { restartPolicy }: Container): boolean =>
  restartPolicy != null && !(list === 'initContainers' && restartPolicy === 'Always');

const restartPolicies = parts(
  'ContainerRestartRules',
  (spec) => containersOf(spec).some(([list, container]) => hasOwnPolicy(list, container)),
  (spec) => {
    for (const [list, container] of containersOf(spec)) {
      if (hasOwnPolicy(list, container)) delete container.restartPolicy;
    }
  },
);

/** Volumes and their mounts belong together. */
const imageVolumes = parts(
  'ImageVolume',
  ({ volumes = [] }) => volumes.some(({ image }) => image != null),
  (spec) => {
    const dropped = new Set(
      (spec.volumes ?? []).filter(({ image }) => image != null).map(({ name }) => name),
    );
    const isKept = ({ name }: { readonly name: string }) => !dropped.has(name);
    spec.volumes = spec.volumes?.filter(isKept);
    for (const [, container] of containersOf(spec))
      container.volumeMounts = container.volumeMounts?.filter(isKept);
  },
);

export const podParts: readonly GatedParts[] = [restartPolicies, imageVolumes];
