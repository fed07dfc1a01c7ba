/** The granularity at which apply tracks a value. */

import { shapeOf } from '../shape.ts';
import { resolved, type Field, type ListType, type MapType, type StructType, type Type } from '../type.ts';

/** `leaf`: owned as a whole, whatever its content. */
export type Granularity =
  | { readonly kind: 'leaf' }
  | { readonly kind: 'struct'; readonly struct: StructType }
  | { readonly kind: 'map'; readonly value: Type | typeof deduced }
  | { readonly kind: 'list'; readonly list: ListType };

/** Without a schema: objects are granular, lists are not. */
export const deduced = Symbol('deduced');

export type MergeType = Type | typeof deduced;

/** The granularity of a value of this type; `value` decides if there is no schema. */
export function granularityOf(type: MergeType, value: unknown): Granularity {
  if (isDeduced(type)) return isObject(value) ? deducedMap : leafGranularity;
  const known = granularities.get(type);
  if (known !== undefined) return known;
  const granularity = computed(type);
  granularities.set(type, granularity);
  return granularity;
}

/** Whether the value decides. */
export const isDeduced = (type: MergeType): type is typeof deduced =>
  type === deduced || (type.form === 'scalar' && type.isDeduced === true);

/** The type of a member; undefined when the struct has none of that name. */
export function memberTypeOf(struct: StructType, name: string): MergeType | undefined {
  const field = shapeOf(struct).byName.get(name)?.field;
  if (field === undefined) return takesUnknown(struct) ? deduced : undefined;
  return fieldTypeOf(field);
}

export const takesUnknown = ({ preserveUnknown, isOpenToApply }: StructType): boolean =>
  preserveUnknown || isOpenToApply === true;

/** A field's type for the purposes of apply. */
export function fieldTypeOf(field: Field): Type {
  if (!field.granular) return field.type;
  let granular = granularTypes.get(field.type);
  if (granular === undefined) {
    granular = { ...(resolved(field.type) as StructType | MapType), atomic: false };
    granularTypes.set(field.type, granular);
  }
  return granular;
}

const granularTypes = new WeakMap<Type, Type>();

const granularities = new WeakMap<Type, Granularity>();
const leafGranularity: Granularity = { kind: 'leaf' };
const deducedMap: Granularity = { kind: 'map', value: deduced };

function computed(type: Type): Granularity {
  const actual = resolved(type);
  switch (actual.form) {
    case 'scalar':
      return leafGranularity;
    case 'struct':
      return actual.atomic ? leafGranularity : { kind: 'struct', struct: actual };
    case 'map':
      return (actual as MapType).atomic ? leafGranularity : { kind: 'map', value: actual.value };
    case 'list':
      return actual.merge === 'atomic' ? leafGranularity : { kind: 'list', list: actual };
  }
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Absent, null, or empty: then the value itself is the leaf, so that the three can be distinguished. */
export function isHollow(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  if (Array.isArray(value)) return value.length === 0;
  if (typeof value !== 'object') return false;
  for (const _name in value) return false;
  return true;
}
