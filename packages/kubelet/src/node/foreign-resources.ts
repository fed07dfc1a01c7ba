/** Resources of a node that its kubelet knows nothing of: somebody has put them on the status. */
import { isExtendedResourceName } from '../resources/extended-resource.ts';

type Amounts = Readonly<Record<string, string | null>>;

export interface NodeResources {
  readonly capacity?: Amounts | null;
  readonly allocatable?: Amounts | null;
}

/**
 * What the kubelet says of a node, with what others have said: of what they put into the capacity all may be used, and
 * what they have taken out again may not be. `null` removes an amount, as patches have it.
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
