/**
 * Whether two decoded values are equal in Go. A nil pointer differs from an empty struct, whereas a struct without a
 * pointer always exists, and an absent scalar is zero.
 */
import { wasSentEmpty } from './decode/emptied.ts';
import { deepEqual } from './strategic-merge/values.ts';
import { compareQuantities, parseQuantity, type Quantity } from './scalars/quantity.ts';
import {
  resolved,
  type Field,
  type ListType,
  type MapType,
  type ScalarType,
  type StructType,
  type Type,
} from './type.ts';

/**
 * - `semantic`: like `equality.Semantic`; a nil list or map equals an empty one, and quantities are compared by
 *   value (`1` and `1000m`).
 * - `exact`: like `reflect.DeepEqual` of what a client sent and what was stored as protobuf, which has no
 *   empty lists and maps.
 */
export type GoEquality = 'semantic' | 'exact';

/** @param sent from a request @param stored the previous object */
export function goEqual(type: Type, sent: unknown, stored: unknown, equality: GoEquality): boolean {
  if (sent === stored && equality === 'semantic') return true;
  const known = resolved(type);
  switch (known.form) {
    case 'struct':
      return known.preserveUnknown
        ? sameData(sent, stored)
        : sameStruct(known, (sent ?? {}) as Members, (stored ?? {}) as Members, equality);
    case 'list':
      return sameList(known, sent, stored, equality);
    case 'map':
      return sameMap(known, sent, stored, equality);
    default:
      return sameScalar(known, sent, stored, equality);
  }
}

type Members = Readonly<Record<string, unknown>>;

function sameStruct({ fields }: StructType, sent: Members, stored: Members, equality: GoEquality): boolean {
  for (const name in fields) {
    if (!sameField(name, fields[name]!, sent, stored, equality)) return false;
  }
  return true;
}

/** Compares one member of two structs by {@link goEqual}. */
export function sameField(
  name: string,
  { presence, type }: Field,
  sent: Members,
  stored: Members,
  equality: GoEquality,
): boolean {
  if (presence === 'embedded') return goEqual(type, sent, stored, equality);
  const [now, before] = [sent[name], stored[name]];
  const known = resolved(type);
  if (known.form === 'list' || known.form === 'map') {
    if (equality === 'exact' && isSentEmpty(sent, name)) return false;
    return goEqual(known, now, before, equality);
  }
  if (presence === 'pointer' || presence === 'nullable') {
    if (now == null || before == null) return now == null && before == null;
    return goEqual(known, now, before, equality);
  }
  if (known.form === 'struct') return goEqual(known, now, before, equality);
  return sameScalar(known, isZero(now) ? undefined : now, isZero(before) ? undefined : before, equality);
}

/** A default may have filled it since then. */
function isSentEmpty(holder: Members, name: string): boolean {
  const value = holder[name];
  return value == null ? wasSentEmpty(holder, name) : sizeOf(value) === 0;
}

function sameList({ element }: ListType, sent: unknown, stored: unknown, equality: GoEquality): boolean {
  const now = (sent ?? []) as readonly unknown[];
  const before = (stored ?? []) as readonly unknown[];
  return (
    now.length === before.length &&
    now.every((item, index) => goEqual(element, item, before[index], equality))
  );
}

function sameMap({ value }: MapType, sent: unknown, stored: unknown, equality: GoEquality): boolean {
  const now = (sent ?? {}) as Members;
  const before = (stored ?? {}) as Members;
  if (sizeOf(now) !== sizeOf(before)) return false;
  return Object.keys(now).every(
    (key) => Object.hasOwn(before, key) && goEqual(value, now[key], before[key], equality),
  );
}

const sizeOf = (value: unknown): number => Object.keys(value as object).length;

const isZero = (value: unknown): boolean =>
  value == null || value === '' || value === 0 || value === 0n || value === false;

function sameScalar(type: Type, a: unknown, b: unknown, equality: GoEquality): boolean {
  if (a !== b && equality === 'semantic' && (type as ScalarType).scalar === 'quantity')
    return compareQuantities(quantityOf(a), quantityOf(b)) === 0;
  return sameData(a, b);
}

const quantityOf = (text: unknown): Quantity => parseQuantity((text ?? '0') as string);

/** Scalars, and JSON that the schema doesn't describe. */
const sameData = (a: unknown, b: unknown): boolean =>
  a == null || b == null ? a == null && b == null : deepEqual(a, b);
