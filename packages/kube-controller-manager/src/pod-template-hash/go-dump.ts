/**
 * Prints an object like Go's spew library with sorted keys, types and no methods: upstream puts the hash of this text
 * into names and labels. Field order, Go names and nil-ness follow from the type's schema.
 */

import { resolved, type Field, type ScalarType, type StructType, type Type } from '@coxswain/schema';
import { dumpQuantity } from './go-quantity.ts';
import { namedGoTypes } from './named-go-types.ts';

/** `value` is a decoded object of type `type`; its type is printed because it is the root. */
export const goDump = (type: StructType, value: Readonly<Record<string, unknown>>): string =>
  `(${goStructName(type)})${dumpStruct(type, value)}`;

/** `core/v1.PodSpec` → `v1.PodSpec` */
const goStructName = (type: StructType): string => type.name.slice(type.name.indexOf('/') + 1);

function dumpStruct(type: StructType, value: Readonly<Record<string, unknown>>): string {
  const fields = Object.entries(type.fields).map(([name, field]) => dumpField(type, name, field, value));
  return `{${fields.join(' ')}}`;
}

function dumpField(
  parent: StructType,
  name: string,
  field: Field,
  object: Readonly<Record<string, unknown>>,
): string {
  const label = `${field.go ?? name.charAt(0).toUpperCase() + name.slice(1)}:`;
  // The fields of an embedded struct are in the parent.
  const value = field.presence === 'embedded' ? object : object[name];
  const isPointer = field.presence === 'pointer' || field.presence === 'nullable';
  const goType = namedGoTypes[`${parent.name}.${name}`] ?? goTypeOf(field.type);
  const pointer = isPointer ? '*' : '';
  if (isPointer && (value === undefined || value === null)) return `${label}(*${goType})<nil>`;
  return `${label}(${pointer}${goType})${dumpValue(field.type, value)}`;
}

function dumpValue(type: Type, value: unknown): string {
  const known = resolved(type);
  switch (known.form) {
    case 'scalar':
      return dumpScalar(known, value);
    case 'struct':
      return dumpStruct(known, (value ?? {}) as Readonly<Record<string, unknown>>);
    case 'list':
      return Array.isArray(value)
        ? `[${value.map((item) => dumpValue(known.element, item)).join(' ')}]`
        : '<nil>';
    case 'map':
      return isNil(value)
        ? '<nil>'
        : `map[${dumpMap(known.value, value as Readonly<Record<string, unknown>>)}]`;
  }
}

const isNil = (value: unknown): boolean => value === undefined || value === null;

const dumpMap = (type: Type, value: Readonly<Record<string, unknown>>): string =>
  Object.keys(value)
    .toSorted(byBytes)
    .map((key) => `${key}:${dumpValue(type, value[key])}`)
    .join(' ');

/** Go sorts strings by bytes, and thus by code points rather than UTF-16 units. */
function byBytes(a: string, b: string): number {
  const [left, right] = [Array.from(a), Array.from(b)];
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    const difference = (left[i]?.codePointAt(0) ?? 0) - (right[i]?.codePointAt(0) ?? 0);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

function dumpScalar({ scalar }: ScalarType, value: unknown): string {
  switch (scalar) {
    case 'bool':
      return String(value ?? false);
    case 'int32':
    case 'int64':
      return String(value ?? 0);
    case 'quantity':
      return dumpQuantity(String(value ?? '0'));
    case 'intOrString':
      return typeof value === 'string'
        ? `{Type:(intstr.Type)1 IntVal:(int32)0 StrVal:(string)${value}}`
        : `{Type:(intstr.Type)0 IntVal:(int32)${Number(value ?? 0)} StrVal:(string)}`;
    case 'time':
      return dumpTime(value);
    default:
      return String(value ?? '');
  }
}

/** Only for creationTimestamp, which templates don't set; a set time contains a pointer to a time zone table. */
function dumpTime(value: unknown): string {
  const seconds = typeof value === 'string' ? BigInt(Date.parse(value) / 1000) + secondsFromYearOne : 0n;
  return `{Time:(time.Time){wall:(uint64)0 ext:(int64)${seconds} loc:(*time.Location)<nil>}}`;
}

/** Go counts seconds from 0001-01-01. */
const secondsFromYearOne = 62_135_596_800n;

const goScalarNames: Readonly<Partial<Record<string, string>>> = {
  float64: 'float64',
  bytes: '[]uint8',
  quantity: 'resource.Quantity',
  intOrString: 'intstr.IntOrString',
  time: 'v1.Time',
  microTime: 'v1.MicroTime',
  fieldsV1: 'v1.FieldsV1',
};

function goTypeOf(type: Type): string {
  const known = resolved(type);
  switch (known.form) {
    case 'scalar':
      return goScalarNames[known.scalar] ?? known.scalar;
    case 'struct':
      return goStructName(known);
    case 'list':
      return `[]${goTypeOf(known.element)}`;
    case 'map':
      return `map[string]${goTypeOf(known.value)}`;
  }
}
