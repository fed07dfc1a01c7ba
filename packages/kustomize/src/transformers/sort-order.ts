/** The order of resources in the result. */
import type { SortOptions } from '../configuration/kustomization.ts';
import {
  compareText,
  firstKinds,
  gvkText,
  kindOrder,
  lastKinds,
  sameGvk,
  sortText,
} from '../resources/gvk.ts';
import type { ResourceId } from '../resources/resource-id.ts';
import { ResourceMap } from '../resources/resource-map.ts';
import type { Transformer } from './transformer.ts';

export const legacyOrder: SortOptions = { order: 'legacy' };

export function sortResources({ order = '', legacySortOptions }: SortOptions): Transformer {
  return (map) => {
    if (order !== 'fifo' && order !== 'legacy') {
      throw new Error("the field 'sortOptions.order' must be one of [fifo, legacy]");
    }
    if (order === 'fifo') {
      if (legacySortOptions === undefined) return;
      throw new Error(
        "the field 'sortOptions.legacySortOptions' is set but the selected sort order is 'fifo', not 'legacy'",
      );
    }
    const { orderFirst = [], orderLast = [] } = legacySortOptions ?? {
      orderFirst: firstKinds,
      orderLast: lastKinds,
    };
    const compare = compareIds(kindOrder(orderFirst, orderLast));
    const sorted = map.resources
      .map((resource) => ({ resource, id: resource.id }))
      .sort((a, b) => compare(a.id, b.id));
    map.resources = ResourceMap.of(sorted.map(({ resource }) => resource)).resources;
  };
}

const compareIds =
  (order: ReadonlyMap<string, number>) =>
  (a: ResourceId, b: ResourceId): number => {
    if (sameGvk(a.gvk, b.gvk)) return compareText(idSortText(a), idSortText(b));
    const difference = (order.get(a.gvk.kind) ?? 0) - (order.get(b.gvk.kind) ?? 0);
    if (difference !== 0) return difference;
    const both = compareText(sortText(a.gvk), sortText(b.gvk));
    const areNamespaces = a.gvk.kind === 'Namespace' && b.gvk.kind === 'Namespace';
    return areNamespaces && (a.gvk.group === '' || b.gvk.group === '') ? -both : both;
  };

const idSortText = ({ gvk, name, namespace }: ResourceId): string =>
  [gvkText(gvk), namespace || '~X', name || '~N'].join('|');
