/** Extended resources of a node that its kubelet doesn't manage, because they were patched into its status. */
import { isExtendedResourceName } from '../resources/extended-resource.ts';

type Amounts = Readonly<Record<string, string | null>>;

export interface NodeResources {
  readonly capacity?: Amounts | null;
  readonly allocatable?: Amounts | null;
}

/**
 * Merges the kubelet's resources with foreign ones: those in the capacity become allocatable, and those removed from it
 * are removed from allocatable. `null` removes an amount, as in patches.
 */
export function withForeignResources(own: NodeResources, known: NodeResources): Required<NodeResources> {
  const capacity = { ...known.capacity, ...own.capacity };
  const foreign = Object.entries(capacity).filter(([name]) => !Object.hasOwn(own.capacity ?? {}, name));
  const gone = Object.keys(known.allocatable ?? {}).filter(
    (name) => isExtendedResourceName(name) && !Object.hasOwn(capacity, name),
  );
  return {
    capacity,
    allocatable: {
      ...Object.fromEntries([...foreign, ...gone.map((name) => [name, null] as const)]),
      ...own.allocatable,
    },
  };
}
