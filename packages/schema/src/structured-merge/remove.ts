/** Removes the paths of a set from an object. */

import { granularityOf, isHollow, isObject, memberTypeOf, type MergeType } from './granularity.ts';
import { identifierOf } from './list-element.ts';
import { below, isEmptySet, isMember, type FieldSet } from '../field-set.ts';
import { setMember } from '../json/tree.ts';
import { shapeOf } from '../shape.ts';
import { resolved, type ListType, type StructType } from '../type.ts';

/** The rest, for counting its own fields: see `Emptied`. */
export const removeFields = (type: StructType, object: unknown, fields: FieldSet): unknown =>
  isEmptySet(fields)
    ? object
    : withoutFields(type, object, fields, type.isCustom ? emptiedOfCustom : emptiedOfTyped);

/** The rest, for reading: an emptied pointer to a struct becomes nil. */
export const withoutRemoved = (type: StructType, object: unknown, fields: FieldSet): unknown =>
  isEmptySet(fields)
    ? object
    : withoutFields(type, object, fields, type.isCustom ? emptiedOfCustom : emptiedAndRead);

/**
 * The result for a container that loses all its content, when only the content was to be removed. Upstream makes null
 * of it, which most schemas of custom resources refuse. Built-in types decode null as an empty value, and as absent for
 * an optional struct (`isPointer`); what contains it has lost nothing. Unlike an empty list, null counts as a field.
 */
type Emptied = (value: object, isPointer: boolean) => unknown;

const noStruct = Symbol('no struct');
const emptiedOfTyped: Emptied = (value, isPointer) => (isPointer || Array.isArray(value) ? null : {});
const emptiedAndRead: Emptied = (_value, isPointer) => (isPointer ? noStruct : null);
const emptiedOfCustom: Emptied = () => null;

function withoutFields(
  type: MergeType,
  value: unknown,
  fields: FieldSet,
  emptied: Emptied,
  isPointer = false,
): unknown {
  if (isHollow(value)) return value;
  const granularity = granularityOf(type, value);
  const without = () => {
    switch (granularity.kind) {
      case 'leaf':
        return undefined;
      case 'struct':
        return withoutMembers(
          value,
          fields,
          emptied,
          (name) => memberTypeOf(granularity.struct, name),
          (name) => isPointerToStruct(granularity.struct, name),
        );
      case 'map':
        return withoutMembers(value, fields, emptied, () => granularity.value);
      case 'list':
        return withoutElements(granularity.list, value, fields, emptied);
    }
  };
  if (typeof value !== 'object' || value === null) return value;
  const rest = without();
  if (isHollow(rest)) return emptied(value, isPointer);
  if (isObject(rest)) for (const name in rest) if (rest[name] === noStruct) delete rest[name];
  return rest;
}

function isPointerToStruct(struct: StructType, name: string): boolean {
  const field = shapeOf(struct).byName.get(name)?.field;
  const mayBeMissing = field?.presence === 'pointer' || field?.presence === 'nullable';
  return mayBeMissing && resolved(field.type).form === 'struct';
}

function withoutMembers(
  value: unknown,
  fields: FieldSet,
  emptied: Emptied,
  typeOf: (name: string) => MergeType | undefined,
  isPointer: (name: string) => boolean = () => false,
): unknown {
  if (!isObject(value)) return value;
  const rest: Record<string, unknown> = {};
  for (const name in value) {
    const node = fields[`f:${name}`];
    if (node === undefined) {
      setMember(rest, name, value[name]);
    } else if (!isMember(node)) {
      const type = typeOf(name);
      const left =
        type === undefined ? value[name] : withoutFields(type, value[name], node, emptied, isPointer(name));
      setMember(rest, name, left);
    }
  }
  return rest;
}

function withoutElements(list: ListType, value: unknown, fields: FieldSet, emptied: Emptied): unknown {
  if (!Array.isArray(value)) return value;
  const identify = identifierOf(list);
  const rest: unknown[] = [];
  for (const item of value as unknown[]) {
    const node = fields[identify(item)];
    if (node === undefined) rest.push(item);
    else if (!isMember(node)) rest.push(withoutFields(list.element, item, below(node), emptied));
  }
  return rest;
}
