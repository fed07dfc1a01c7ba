/** The fields that a configuration states: every leaf, and every element of a list or map. */

import { fieldElement } from './path-element.ts';
import { leaf, nodeOf, type FieldSet, type FieldSetDraft } from '../field-set.ts';
import { granularityOf, isHollow, isObject, memberTypeOf, type MergeType } from './granularity.ts';
import { identifierOf } from './list-element.ts';
import { shapeOf } from '../shape.ts';
import type { ListType, StructType } from '../type.ts';

/** For a valid value. */
export function ownedFields(type: StructType, value: unknown): FieldSet {
  return nodeBelow(type, value) ?? leaf;
}

/** Undefined when there is nothing to own below: a struct without members, an empty list. */
function nodeBelow(type: MergeType, value: unknown): FieldSet | undefined {
  const granularity = granularityOf(type, value);
  switch (granularity.kind) {
    case 'leaf':
      return leaf;
    case 'struct':
      return isObject(value) ? membersOfStruct(granularity.struct, value) : undefined;
    case 'map':
      return isObject(value) ? membersOfMap(granularity.value, value) : undefined;
    case 'list':
      return Array.isArray(value) ? elementsOfList(granularity.list, value) : undefined;
  }
}

function membersOfStruct(struct: StructType, value: Record<string, unknown>): FieldSet | undefined {
  const { byName } = shapeOf(struct);
  const members: FieldSetDraft = {};
  for (const name in value) {
    const type = memberTypeOf(struct, name);
    if (type === undefined || value[name] === undefined) continue;
    addMember(members, name, type, value[name], !byName.has(name));
  }
  return nodeOf(false, members);
}

function membersOfMap(valueType: MergeType, value: Record<string, unknown>): FieldSet | undefined {
  const members: FieldSetDraft = {};
  for (const key in value) addMember(members, key, valueType, value[key], true);
  return nodeOf(false, members);
}

/** A struct's own field is a member only through its content, unless it is empty. */
function addMember(
  members: FieldSetDraft,
  name: string,
  type: MergeType,
  value: unknown,
  always: boolean,
): void {
  const node = nodeBelow(type, value);
  const isLeafObject = value === null || (isObject(value) && isHollow(value));
  if (node === leaf) members[fieldElement(name)] = leaf;
  else {
    const placed = nodeOf(always || isLeafObject, node ?? leaf);
    if (placed !== undefined) members[fieldElement(name)] = placed;
  }
}

function elementsOfList(list: ListType, value: readonly unknown[]): FieldSet | undefined {
  const identify = identifierOf(list);
  const elements: FieldSetDraft = {};
  for (const item of value) {
    const element = identify(item);
    if (element in elements) elements[element] = leaf;
    else elements[element] = nodeOf(true, nodeBelow(list.element, item) ?? leaf)!;
  }
  return nodeOf(false, elements);
}
