/**
 * Adapts fields recorded while a list or map was granular that is now atomic: owners of anything inside now own the
 * whole. The opposite needs no change.
 */

import { isEmptySet, leaf, self, type FieldSet, type FieldSetDraft } from '../field-set.ts';
import { granularityOf, isDeduced, memberTypeOf, type Granularity, type MergeType } from './granularity.ts';
import { resolved, type StructType } from '../type.ts';

/** Returns the set itself if it agrees with the type. */
export function reconciled(type: StructType, fields: FieldSet): FieldSet {
  let agreeing = agreeingWith.get(type);
  if (agreeing === undefined) agreeingWith.set(type, (agreeing = new WeakSet()));
  if (agreeing.has(fields)) return fields;
  const result = reconciledBelow(type, fields);
  agreeing.add(result);
  return result;
}

/** Sets are never modified, and the same ones recur with every write to an object. */
const agreeingWith = new WeakMap<StructType, WeakSet<FieldSet>>();

function reconciledBelow(type: MergeType, set: FieldSet): FieldSet {
  if (isDeduced(type)) return set;
  const granularity = granularityOf(type, undefined);
  if (granularity.kind === 'leaf') return set;
  let changed: FieldSetDraft | undefined;
  for (const element in set) {
    if (element === self) continue;
    const node = set[element]!;
    const next = reconciledNode(typeBelow(granularity, element), node);
    if (next !== node) (changed ??= { ...set })[element] = next;
  }
  return changed ?? set;
}

function reconciledNode(type: MergeType | undefined, node: FieldSet): FieldSet {
  if (type === undefined || isDeduced(type) || isEmptySet(node)) return node;
  return isAtomic(type) ? leaf : reconciledBelow(type, node);
}

const isAtomic = (type: Exclude<MergeType, symbol>): boolean =>
  resolved(type).form !== 'scalar' && granularityOf(type, undefined).kind === 'leaf';

function typeBelow(granularity: Granularity, element: string): MergeType | undefined {
  switch (granularity.kind) {
    case 'struct':
      return memberTypeOf(granularity.struct, element.slice('f:'.length));
    case 'map':
      return granularity.value;
    case 'list':
      return granularity.list.element;
    case 'leaf':
      return undefined;
  }
}
