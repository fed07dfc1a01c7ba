/** Field sets as pruning needs them: a struct's field that only leads to members counts as a member, too. */

import { below, isMember, nodeOf, self, type FieldSet, type FieldSetDraft } from '../field-set.ts';
import { deduced, granularityOf, isDeduced, memberTypeOf, type MergeType } from './granularity.ts';
import { shapeOf } from '../shape.ts';

export function withNamedFields(set: FieldSet, type: MergeType): FieldSet {
  const granularity = granularityOf(type, isDeduced(type) ? {} : undefined);
  const names = granularity.kind === 'struct' ? shapeOf(granularity.struct).byName : undefined;
  const result: FieldSetDraft = {};
  for (const element in set) {
    if (element === self) continue;
    const node = set[element]!;
    const name = element.slice(2);
    const isNamed = element.startsWith('f:') && names?.has(name) === true;
    result[element] = nodeOf(
      isNamed || isMember(node),
      withNamedFields(below(node), typeBelow(granularity, name)),
    )!;
  }
  return result;
}

function typeBelow(granularity: ReturnType<typeof granularityOf>, name: string): MergeType {
  switch (granularity.kind) {
    case 'struct':
      return memberTypeOf(granularity.struct, name) ?? deduced;
    case 'map':
      return granularity.value;
    case 'list':
      return granularity.list.element;
    case 'leaf':
      return deduced;
  }
}
