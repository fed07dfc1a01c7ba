/** Takes away what an applier once applied, applies no more, and nobody else owns. */

import { difference, intersection, isEmptySet, isSubset, union } from './field-set.ts';
import { withNamedFields } from './named-fields.ts';
import { ownedFields } from './owned-fields.ts';
import { removeFields } from './remove.ts';
import type { StructType } from '../type.ts';
import type { FieldSet } from './field-set.ts';

export interface PruneInput {
  readonly type: StructType;
  /** The live object with the new configuration in it. */
  readonly merged: unknown;
  /** What the applier owned before. */
  readonly last: FieldSet;
  /** What it owns now. */
  readonly next: FieldSet;
  /** What all managers own now, `next` included. */
  readonly owned: FieldSet;
}

export function prune({ type, merged, last, next, owned }: PruneInput): unknown {
  // Who keeps all he had gives nothing up.
  if (isEmptySet(last) || isSubset(last, next)) return merged;
  const namedLast = withNamedFields(last, type);
  const all = withNamedFields(ownedFields(type, merged), type);
  const withoutLast = remaining(type, removeFields(type, merged, namedLast));
  const kept = union(withoutLast, withNamedFields(owned, type));
  const withoutUnowned = remaining(type, removeFields(type, merged, difference(all, kept)));
  return removeFields(type, merged, intersection(difference(all, withoutUnowned), namedLast));
}

const remaining = (type: StructType, object: unknown): FieldSet =>
  withNamedFields(ownedFields(type, object), type);
