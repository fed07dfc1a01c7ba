/** An object without the paths of a set. */

import { granularityOf, isHollow, isObject, memberTypeOf } from './granularity.ts';
import { identifierOf } from './list-element.ts';
import { below, isEmptySet, isMember } from './field-set.ts';
import { setMember } from '../json/tree.ts';
import type { ListType, StructType } from '../type.ts';
import type { FieldSet } from './field-set.ts';
import type { MergeType } from './granularity.ts';

export const removeFields = (type: StructType, object: unknown, fields: FieldSet): unknown =>
  isEmptySet(fields)
    ? object
    : withoutFields(type, object, fields, type.isCustom ? emptiedOfCustom : emptiedOfTyped);

/**
 * A container that loses all it had: only its contents were to go. Built-in types read it as empty; in custom resources
 * it is the null that the original makes of it, which most schemas refuse.
 */
type Emptied = (value: object) => unknown;

const emptiedOfTyped: Emptied = (value) => (Array.isArray(value) ? [] : {});
const emptiedOfCustom: Emptied = () => null;

function withoutFields(type: MergeType, value: unknown, fields: FieldSet, emptied: Emptied): unknown {
  if (isHollow(value)) return value;
  const granularity = granularityOf(type, value);
  const without = () => {
    switch (granularity.kind) {
      case 'leaf':
        return undefined;
      case 'struct':
        return withoutMembers(value, fields, emptied, (name) => memberTypeOf(granularity.struct, name));
      case 'map':
        return withoutMembers(value, fields, emptied, () => granularity.value);
      case 'list':
        return withoutElements(granularity.list, value, fields, emptied);
    }
  };
  if (typeof value !== 'object' || value === null) return value;
  const rest = without();
  return isHollow(rest) ? emptied(value) : rest;
}

function withoutMembers(
  value: unknown,
  fields: FieldSet,
  emptied: Emptied,
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
      setMember(
        rest,
        name,
        type === undefined ? value[name] : withoutFields(type, value[name], node, emptied),
      );
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
