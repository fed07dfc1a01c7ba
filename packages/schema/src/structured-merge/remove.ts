/** An object without the paths of a set. */

import { granularityOf, isHollow, isObject, memberTypeOf } from './granularity.ts';
import { identifierOf } from './list-element.ts';
import { below, isEmptySet, isMember } from './field-set.ts';
import { setMember } from '../json/tree.ts';
import type { ListType, StructType } from '../type.ts';
import type { FieldSet } from './field-set.ts';
import type { MergeType } from './granularity.ts';

export const removeFields = (type: StructType, object: unknown, fields: FieldSet): unknown =>
  isEmptySet(fields) ? object : withoutFields(type, object, fields);

/** A container that loses all it had becomes empty, not absent: only its contents were to go. */
function withoutFields(type: MergeType, value: unknown, fields: FieldSet): unknown {
  if (isHollow(value)) return value;
  const granularity = granularityOf(type, value);
  switch (granularity.kind) {
    case 'leaf':
      return Array.isArray(value) ? [] : isObject(value) ? {} : value;
    case 'struct':
      return withoutMembers(value, fields, (name) => memberTypeOf(granularity.struct, name));
    case 'map':
      return withoutMembers(value, fields, () => granularity.value);
    case 'list':
      return withoutElements(granularity.list, value, fields);
  }
}

function withoutMembers(
  value: unknown,
  fields: FieldSet,
  typeOf: (name: string) => MergeType | undefined,
): unknown {
  if (!isObject(value)) return value;
  const rest: Record<string, unknown> = {};
  for (const name in value) {
    const node = fields[`f:${name}`];
    if (node === undefined) {
      setMember(rest, name, value[name]);
    } else if (!isMember(node)) {
      const type = typeOf(name);
      setMember(rest, name, type === undefined ? value[name] : withoutFields(type, value[name], node));
    }
  }
  return rest;
}

function withoutElements(list: ListType, value: unknown, fields: FieldSet): unknown {
  if (!Array.isArray(value)) return value;
  const identify = identifierOf(list);
  const rest: unknown[] = [];
  for (const item of value as unknown[]) {
    const node = fields[identify(item)];
    if (node === undefined) rest.push(item);
    else if (!isMember(node)) rest.push(withoutFields(list.element, item, below(node)));
  }
  return rest;
}
