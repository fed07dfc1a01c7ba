/** Checks lists of the types `set` and `map` for duplicate elements, and that those of a map are objects. */
import { duplicateError, goJson, invalidError, type FieldError } from '@coxswain/apimachinery';
import type { StructuralSchema } from '@coxswain/schema/custom/compile.ts';

/** `path` is empty for the whole object. */
export function listTypeErrors(schema: StructuralSchema, value: unknown, path = ''): FieldError[] {
  if (Array.isArray(value)) {
    const items = itemsOf(schema);
    const own = listErrors(schema, value, path);
    return items === undefined
      ? own
      : [...own, ...value.flatMap((item, index) => listTypeErrors(items, item, `${path}[${index}]`))];
  }
  if (!isObject(value)) return [];
  const { properties, additionalProperties } = schema;
  return Object.entries(value).flatMap(([name, member]) => {
    if (properties && Object.hasOwn(properties, name)) {
      return listTypeErrors(properties[name]!, member, path === '' ? name : `${path}.${name}`);
    }
    return typeof additionalProperties === 'object'
      ? listTypeErrors(additionalProperties, member, `${path}[${name}]`)
      : [];
  });
}

function listErrors(schema: StructuralSchema, value: readonly unknown[], path: string): FieldError[] {
  switch (schema['x-kubernetes-list-type']) {
    case 'set':
      return duplicates(value, path);
    case 'map': {
      const stranger = value.findIndex((item) => item !== null && !isObject(item));
      if (stranger >= 0) {
        const detail = 'must be an object for an array of list-type map';
        return [invalidError(`${path}[${stranger}]`, value[stranger], detail)];
      }
      const names = (schema['x-kubernetes-list-map-keys'] ?? []).toSorted();
      return duplicates(
        value.map((item) => keyOf(item, names)),
        path,
      );
    }
    default:
      return [];
  }
}

/** The values of all its keys; missing ones are absent. */
const keyOf = (item: unknown, names: readonly string[]): object =>
  isObject(item)
    ? Object.fromEntries(names.filter((name) => Object.hasOwn(item, name)).map((name) => [name, item[name]]))
    : {};

/** An element that occurs three times is reported once, at its second occurrence. */
function duplicates(elements: readonly unknown[], path: string): FieldError[] {
  if (elements.length <= 1) return [];
  const timesSeen = new Map<string, number>();
  return elements.flatMap((element, index) => {
    const text = goJson(sortedDeep(element));
    const times = (timesSeen.get(text) ?? 0) + 1;
    timesSeen.set(text, times);
    return times === 2 ? [duplicateError(`${path}[${index}]`, sortedDeep(element))] : [];
  });
}

function sortedDeep(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortedDeep);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((name) => [name, sortedDeep(value[name])]),
  );
}

const itemsOf = ({ items }: StructuralSchema): StructuralSchema | undefined =>
  Array.isArray(items) ? undefined : (items as StructuralSchema | undefined);

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
