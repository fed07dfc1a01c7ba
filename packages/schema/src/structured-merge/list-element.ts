/** Identifies the elements of a list, by keys or by value. */

import { keyElement, valueElement } from './path-element.ts';
import { goQuote } from '../scalars/go-quote.ts';
import { quoted } from '../json/write.ts';
import { shapeOf } from '../shape.ts';
import { resolved, type Field, type ListType, type ScalarName } from '../type.ts';

/** The path element of a list's item. @throws Error with upstream's message when it has none */
export type Identify = (item: unknown) => string;

/** For lists whose `merge` is `set` or `map`; computed once per list type. */
export function identifierOf(list: ListType): Identify {
  let identify = identifiers.get(list);
  if (identify === undefined) {
    identify = list.merge === 'set' ? identifyValue : identifyByKeys(list);
    identifiers.set(list, identify);
  }
  return identify;
}

/** An element that cannot be identified. */
export class ListElementError extends Error {}

const identifiers = new WeakMap<ListType, Identify>();

const identifyValue: Identify = (item) => {
  if (item === null || item === undefined) {
    throw new ListElementError("associative list without keys has an element that's an explicit null");
  }
  if (Array.isArray(item))
    throw new ListElementError('not supported: associative list with lists as elements');
  if (typeof item === 'object')
    throw new ListElementError("associative list without keys has an element that's a map type");
  return valueElement(item);
};

function identifyByKeys({ keys, element }: ListType): Identify {
  const struct = resolved(element);
  const defaults = keys
    .map((name) => {
      const field = struct.form === 'struct' ? shapeOf(struct).byName.get(name)?.field : undefined;
      return [name, field && publishedDefaultOf(field)] as const;
    })
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const single = keys.length === 1 ? keys[0]! : undefined;
  return (item) => {
    if (item === null || item === undefined) {
      throw new ListElementError('associative list with keys may not have a null element');
    }
    if (typeof item !== 'object' || Array.isArray(item)) {
      throw new ListElementError('associative list with keys may not have non-map elements');
    }
    const object = item as Record<string, unknown>;
    if (single !== undefined && typeof object[single] === 'string')
      return `k:{"${single}":${quoted(object[single])}}`;
    const pairs = defaults
      .map(([name, fallback]) => [name, object[name] === undefined ? fallback : object[name]] as const)
      .filter(([, value]) => value !== undefined);
    if (pairs.length === 0) {
      throw new ListElementError(
        `associative list with keys has an element that omits all key fields [${keys.map(goQuote).join(' ')}] (and doesn't have default values for any key fields)`,
      );
    }
    return keyElement(pairs);
  };
}

/** The default that OpenAPI publishes: an explicit one, or the zero of a scalar that is always written. */
function publishedDefaultOf(field: Field): unknown {
  if (field.default !== undefined && field.defaultPublished) return field.default;
  const type = resolved(field.type);
  return field.presence === 'always' && type.form === 'scalar' ? scalarZeros[type.scalar] : undefined;
}

const scalarZeros: Readonly<Partial<Record<ScalarName, unknown>>> = {
  string: '',
  bool: false,
  int32: 0,
  int64: 0,
  float64: 0,
};
