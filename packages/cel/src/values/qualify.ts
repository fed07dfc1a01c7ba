/** Selects a field, an entry or an element of a value. */

import { CelError, noSuchOverload } from './error.ts';
import { ListValue, MapValue, StructValue, type Value } from './value.ts';
import { indexOf } from './list-index.ts';
import { valueText } from './text.ts';

/** @returns undefined if it is missing and only its presence is tested, otherwise an error */
export function qualify(value: Value, key: Value, isPresenceAsked: boolean): Value | undefined {
  if (value instanceof StructValue) return field(value, key, isPresenceAsked);
  if (value instanceof MapValue) {
    const found = value.get(key);
    if (found !== undefined) return found;
    return isPresenceAsked ? undefined : new CelError(`no such key: ${valueText(key)}`);
  }
  if (value instanceof ListValue) return element(value, key, isPresenceAsked);
  if (value instanceof CelError) return value;
  return isPresenceAsked ? undefined : new CelError(`no such key: ${valueText(key)}`);
}

function field(value: StructValue, key: Value, isPresenceAsked: boolean): Value | undefined {
  if (typeof key !== 'string') return noSuchOverload;
  if (!isPresenceAsked) return value.get(key);
  const isSet = value.has(key);
  if (isSet instanceof CelError) return isSet;
  return isSet === true ? value.get(key) : undefined;
}

function element(value: ListValue, key: Value, isPresenceAsked: boolean): Value | undefined {
  const index = indexOf(key);
  if (index instanceof CelError) return index;
  if (index >= 0 && index < value.size) return value.at(index);
  return isPresenceAsked ? undefined : new CelError(`index out of bounds: ${valueText(key)}`);
}
