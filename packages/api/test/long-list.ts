/** Objects of any kind with one long list or map, for each place where the kind has one. */
import {
  resolved,
  type Kind,
  type ListType,
  type MapType,
  type ScalarName,
  type ScalarType,
  type StructType,
  type Type,
} from '@coxswain/schema';
import { shapeOf } from '@coxswain/schema/shape.ts';

type Values = Record<string, unknown>;

/** The members on the path from an object to a list: through structs, and through one item of other lists and maps. */
export interface LongPlace {
  readonly kind: Kind;
  readonly path: readonly string[];
}

export interface LongForm {
  /** Whether no two items share a value. */
  readonly distinct: boolean;
  /** Whether items have all their scalar members, or only the first and those that are never absent. */
  readonly full: boolean;
}

/** Every list and map of the kinds; the same member of the same struct occurs once. */
export function longPlaces(kinds: readonly Kind[]): LongPlace[] {
  const places: LongPlace[] = [];
  const known = new Set<string>();
  for (const kind of kinds) visit(kind.type, [], (path) => places.push({ kind, path }), known);
  return places;
}

const typeMembers: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'managedFields']);

function visit(
  struct: StructType,
  path: readonly string[],
  found: (path: readonly string[]) => void,
  known: Set<string>,
): void {
  for (const { name, field } of shapeOf(struct).members) {
    const type = resolved(field.type);
    const key = `${struct.name}.${name}`;
    if (typeMembers.has(name) || type.form === 'scalar' || known.has(key)) continue;
    known.add(key);
    const at = [...path, name];
    if (type.form !== 'struct') found(at);
    const inner = innermost(type);
    if (inner.form === 'struct') visit(inner, at, found, known);
  }
}

function innermost(type: Exclude<ReturnType<typeof resolved>, never>): StructType | ScalarType {
  if (type.form === 'list') return innermost(resolved(type.element));
  if (type.form === 'map') return innermost(resolved(type.value));
  return type;
}

export function longObject({ kind, path }: LongPlace, count: number, form: LongForm): Values {
  const { apiVersion, kind: name } = kind;
  const object = along(kind.type, path, count, form);
  return { apiVersion, kind: name, ...object, metadata: { name: 'long', ...(object['metadata'] as object) } };
}

function along(
  struct: StructType,
  [name, ...rest]: readonly string[],
  count: number,
  form: LongForm,
): Values {
  const values = scalarsOf(struct, 0, form);
  const member = shapeOf(struct).byName.get(name!)!;
  values[name!] = below(resolved(member.field.type), rest, count, form);
  return values;
}

function below(type: Type, rest: readonly string[], count: number, form: LongForm): unknown {
  const actual = resolved(type);
  if (actual.form === 'list') {
    return rest.length === 0 ? longList(actual, count, form) : [below(actual.element, rest, count, form)];
  }
  if (actual.form === 'map') {
    return rest.length === 0 ? longMap(actual, count, form) : { one: below(actual.value, rest, count, form) };
  }
  return along(actual as StructType, rest, count, form);
}

const longList = ({ element }: ListType, count: number, form: LongForm): unknown[] =>
  Array.from({ length: count }, (_, at) => itemOf(element, form.distinct ? at : 0, form));

const longMap = ({ value }: MapType, count: number, form: LongForm): Values =>
  Object.fromEntries(
    Array.from({ length: count }, (_, at) => [`key-${at}`, itemOf(value, form.distinct ? at : 0, form)]),
  );

function itemOf(type: Type, at: number, form: LongForm): unknown {
  const actual = resolved(type);
  if (actual.form === 'scalar') return scalarOf(actual, at);
  if (actual.form === 'struct') return scalarsOf(actual, at, form);
  return actual.form === 'list'
    ? [itemOf(actual.element, at, form)]
    : { one: itemOf(actual.value, at, form) };
}

function scalarsOf(struct: StructType, at: number, { full }: LongForm): Values {
  const values: Values = {};
  for (const { name, field } of shapeOf(struct).members) {
    const type = resolved(field.type);
    if (typeMembers.has(name) || type.form !== 'scalar') continue;
    const isFirst = Object.keys(values).length === 0;
    if (full || isFirst || field.presence === 'always') values[name] = scalarOf(type, at);
  }
  return values;
}

function scalarOf(type: ScalarType, at: number): unknown {
  if (type.values !== undefined) return type.values[at % type.values.length];
  return type.either === undefined ? scalars[type.scalar](at) : true;
}

const scalars: Readonly<Record<ScalarName, (at: number) => unknown>> = {
  string: (at) => `name-${at}`,
  bool: (at) => at % 2 === 0,
  int32: (at) => at + 1,
  int64: (at) => at + 1,
  float64: (at) => at + 0.5,
  bytes: () => 'YQ==',
  quantity: (at) => String(at + 1),
  intOrString: (at) => at + 1,
  time: () => '2026-01-01T00:00:00Z',
  microTime: () => '2026-01-01T00:00:00.000000Z',
  duration: (at) => `${at + 1}s`,
  rawExtension: (at) => ({ at }),
  fieldsV1: () => ({ 'f:a': {} }),
  any: (at) => `any-${at}`,
};
