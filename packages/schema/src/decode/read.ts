/**
 * The fast decoder: normalizes plain values of valid input. Compiled once per type into closures. Anything unusual (an
 * unknown member, a value that doesn't fit) aborts it with `unusual`; `clean.ts` then reports the error or makes the
 * value usual.
 */

import { isNeitherSchemaNorList } from './either.ts';
import { canonicalBase64 } from '../scalars/base64.ts';
import { formatDuration, parseDuration } from '../scalars/duration.ts';
import { canonicalQuantity } from '../scalars/quantity.ts';
import { canonicalMicroTime, canonicalTime } from '../scalars/time.ts';
import { copyOf } from '../json/copy.ts';
import { membersWithin } from '../json/plain.ts';
import { setMember } from '../json/tree.ts';
import { nextFilled, presentMembers, shapeOf, type Member } from '../shape.ts';
import {
  resolved,
  type ListType,
  type MapType,
  type Presence,
  type ScalarName,
  type ScalarType,
  type StructType,
  type Type,
} from '../type.ts';
import { isRawNumber } from '../scalars/raw-number.ts';
import { leaf } from '../field-set.ts';
import type { Emptied } from './emptied.ts';

/** Counts the decoded members, for comparison with the number in the text. */
export interface Tally {
  members: number;
  /** What was sent empty and decoded as absent. */
  emptied?: Emptied[];
  /** Whether the value belongs to the decoder and may be changed. */
  readonly isOurs?: boolean;
  /** A part that was decoded before and is reused. */
  readonly known?: object | undefined;
  /** Whether to copy parts without a type as well. */
  readonly copiesAll?: boolean;
}

/** Returns `undefined` for a value that an optional field omits. */
export type Read = (value: unknown, tally: Tally) => unknown;

/** Thrown, and caught by the decoder. */
export const unusual = Symbol('unusual');

const readers = new WeakMap<StructType, Read>();

export function readerOf(struct: StructType): Read {
  let reader = readers.get(struct);
  if (reader === undefined) readers.set(struct, (reader = compileStruct(struct)));
  return reader;
}

interface MemberReader {
  readonly name: string;
  readonly index: number;
  readonly read: Read;
  /** Makes the representation of an absent value; undefined when there is none. */
  readonly absent: (() => unknown) | undefined;
  /** Set if an empty value is written like an absent one. */
  readonly emptied: Emptied['sent'] | undefined;
}

function compileStruct(struct: StructType): Read {
  let members: readonly MemberReader[] | undefined;
  let byName: ReadonlyMap<string, MemberReader>;
  let fill: Int32Array;
  const prepare = (): readonly MemberReader[] => {
    members = shapeOf(struct).members.map(memberReader);
    byName = new Map(members.map((member) => [member.name, member]));
    fill = nextFilled(members, (member) => member.absent !== undefined);
    return members;
  };
  const finish = (object: Record<string, unknown>, from: number, to: number): void => {
    for (let index = fill[from]!; index < to; index = fill[index + 1]!) {
      const member = members![index]!;
      object[member.name] = member.absent!();
    }
  };

  return (value, tally) => {
    const all = members ?? prepare();
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw unusual;
    const source = value as Record<string, unknown>;
    const present = presentMembers(source, byName);
    if (present === undefined) throw unusual;
    tally.members += present.length;
    const object: Record<string, unknown> = {};
    let next = 0;
    for (let at = 0; at < present.length; at++) {
      const member = present[at]!;
      if (fill[next]! < member.index) finish(object, next, member.index);
      next = member.index + 1;
      place(object, member, source[member.name], tally);
    }
    finish(object, next, all.length);
    return object;
  };
}

function place(object: Record<string, unknown>, member: MemberReader, value: unknown, tally: Tally): void {
  const read =
    value === undefined || value === null
      ? undefined
      : value === tally.known
        ? value
        : member.read(value, tally);
  if (read !== undefined) object[member.name] = read;
  else if (member.absent !== undefined) object[member.name] = member.absent();
  if (read === undefined && member.emptied !== undefined && value !== undefined && value !== null)
    (tally.emptied ??= []).push({ holder: object, name: member.name, sent: member.emptied });
}

function memberReader({ name, index, field }: Member): MemberReader {
  const type = resolved(field.type);
  const { presence } = field;
  const read = readerFor(type);
  const container = type.form === 'list' || type.form === 'map' ? type.form : undefined;
  const dropped =
    !field.keepEmpty && (presence === 'optional' || (presence === 'always' && container !== undefined));
  const emptied = dropped ? container : undefined;
  return {
    name,
    index,
    read: dropped ? withoutZero(type, read) : read,
    absent: absentOf(type, presence, field.omitZero === true),
    emptied,
  };
}

function absentOf(type: Type, presence: Presence, omitZero: boolean): (() => unknown) | undefined {
  if (presence === 'pointer' || omitZero) return undefined;
  if (presence === 'nullable') return () => null;
  // Go has nil bytes; those in maps decode as empty.
  if (presence === 'always' && type.form === 'scalar' && type.scalar === 'bytes') return () => null;
  const zero = zeroOf(type);
  if (presence === 'always') return zero;
  const keptWhenZero = type.form === 'struct' || (type.form === 'scalar' && structLike.has(type.scalar));
  return keptWhenZero ? zero : undefined;
}

/** Go structs, which `omitempty` does not leave out. */
const structLike: ReadonlySet<ScalarName> = new Set([
  'quantity',
  'intOrString',
  'time',
  'microTime',
  'duration',
  'rawExtension',
  'any',
]);

/** The JSON form of a type's zero value. */
export function zeroOf(type: Type): () => unknown {
  const actual = resolved(type);
  if (actual.form === 'struct') return () => readerOf(actual)({}, { members: 0 });
  if (actual.form !== 'scalar') return () => null;
  const zero = scalarZeros[actual.scalar] ?? null;
  return () => zero;
}

const scalarZeros: Readonly<Partial<Record<ScalarName, unknown>>> = {
  string: '',
  bool: false,
  int32: 0,
  int64: 0,
  float64: 0,
  bytes: '',
  quantity: '0',
  intOrString: 0,
  duration: '0s',
};

function withoutZero(type: Type, read: Read): Read {
  if (type.form === 'list') {
    return (value, tally) => {
      const list = read(value, tally) as readonly unknown[];
      return list.length === 0 ? undefined : list;
    };
  }
  if (type.form === 'map') {
    return (value, tally) => {
      const map = read(value, tally);
      for (const _key in map as object) return map;
      return undefined;
    };
  }
  if (type.form !== 'scalar' || structLike.has(type.scalar)) return read;
  return (value, tally) => {
    const scalar = read(value, tally);
    return scalar === '' || scalar === 0 || scalar === false ? undefined : scalar;
  };
}

function readerFor(type: Type): Read {
  const actual = resolved(type);
  switch (actual.form) {
    case 'struct':
      return readerOf(actual);
    case 'list':
      return readList(actual);
    case 'map':
      return actual.value.form === 'scalar' && actual.value.scalar === 'string'
        ? readStringMap
        : readMap(actual);
    case 'scalar':
      return actual.either === undefined ? scalarReaders[actual.scalar] : readEither(actual.either);
  }
}

function readEither({ object, other }: NonNullable<ScalarType['either']>): Read {
  const read = lazily(() => readerFor(object));
  const readObject: Read = (value, tally) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw unusual;
    return read()(value, tally);
  };
  const readItem: Read = other === 'strings' ? scalarReaders.string : readObject;
  return (value, tally) => {
    if (other === 'list' && isNeitherSchemaNorList(value)) return null;
    if (Array.isArray(value) && other !== 'bool') return value.map((item: unknown) => readItem(item, tally));
    if (typeof value === 'object' && value !== null) return readObject(value, tally);
    if (other === 'bool' && value !== null && typeof value !== 'boolean') throw unusual;
    return value;
  };
}

function readList({ element }: ListType): Read {
  const read = lazily(() => readerFor(element));
  const zero = lazily(() => zeroOf(element));
  return (value, tally) => {
    if (!Array.isArray(value)) throw unusual;
    // A copy has exactly the same length; a growing list reserves space for sixteen more, in each of the many lists
    // with one item.
    const list: unknown[] = value.slice();
    for (let at = 0; at < list.length; at++) {
      const item = list[at];
      list[at] = item === null ? zero()() : read()(item, tally);
    }
    return list;
  };
}

const readStringMap: Read = (value, tally) => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw unusual;
  const source = value as Record<string, unknown>;
  const map: Record<string, unknown> = {};
  let last = '';
  let sorted = true;
  for (const key in source) {
    const item = source[key];
    if (typeof item !== 'string' && item !== null) throw unusual;
    if (key < last) sorted = false;
    last = key;
    tally.members++;
    setMember(map, key, item ?? '');
  }
  return sorted ? map : sortedMap(map);
};

function readMap({ value: valueType }: MapType): Read {
  const read = lazily(() => readerFor(valueType));
  const zero = lazily(() => zeroOf(valueType));
  return (value, tally) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw unusual;
    const source = value as Record<string, unknown>;
    const map: Record<string, unknown> = {};
    let last = '';
    let sorted = true;
    for (const key in source) {
      const item = source[key];
      if (key < last) sorted = false;
      last = key;
      tally.members++;
      setMember(map, key, item === null ? zero()() : read()(item, tally));
    }
    return sorted ? map : sortedMap(map);
  };
}

/** Go writes maps in key order. Keys that look like array indices always come first in JavaScript. */
function sortedMap(map: Record<string, unknown>): Record<string, unknown> {
  const sorted: Record<string, unknown> = {};
  for (const key of Object.keys(map).sort()) setMember(sorted, key, map[key]);
  return sorted;
}

const int32Max = 2 ** 31 - 1;
const int64Limit = 2n ** 63n;

const readInt64: Read = (value) => {
  if (typeof value === 'bigint') {
    if (value >= int64Limit || value < -int64Limit) throw unusual;
    return value;
  }
  if (!Number.isSafeInteger(value)) throw unusual;
  return value;
};

/** Decodes a scalar by its text form; `clean.ts` reports invalid text. */
const viaText =
  (canonical: (text: string) => unknown): Read =>
  (value) => {
    if (typeof value !== 'string') throw unusual;
    try {
      return canonical(value);
    } catch {
      throw unusual;
    }
  };

const readQuantityText = viaText((text) => canonicalQuantity(text.trim()));

/** The zero time is written as `null`. */
const zeroTimeAsNull =
  (canonical: (text: string) => string) =>
  (text: string): string | null => {
    const time = canonical(text);
    return time.startsWith('0001-01-01T00:00:00') && /^[^.]*(\.0+)?Z$/.test(time) ? null : time;
  };

const readAnything: Read = (value, tally) => {
  if (typeof value !== 'object' || value === null) return value;
  tally.members += membersWithin(value);
  return tally.copiesAll === true ? copyOf(value) : value;
};

/** Field sets have many leaves: one object represents all of them. */
const readFields: Read = (value, tally) => {
  if (tally.isOurs !== true || typeof value !== 'object' || value === null) return readAnything(value, tally);
  tally.members += shareLeaves(value as Record<string, unknown>);
  return value;
};

/** Returns the number of members at any depth. */
function shareLeaves(fields: Record<string, unknown>): number {
  let count = 0;
  for (const name in fields) {
    count++;
    const below = fields[name];
    if (typeof below !== 'object' || below === null || Array.isArray(below) || isRawNumber(below)) {
      // Not a valid set; its reader reports that.
      count += membersWithin(below);
      continue;
    }
    const within = shareLeaves(below as Record<string, unknown>);
    if (within > 0) count += within;
    else fields[name] = leaf;
  }
  return count;
}

const typed =
  (type: 'string' | 'boolean'): Read =>
  (value) => {
    if (typeof value !== type) throw unusual;
    return value;
  };

const scalarReaders: Readonly<Record<ScalarName, Read>> = {
  string: typed('string'),
  bool: typed('boolean'),
  int32: (value) => {
    if (!Number.isInteger(value) || (value as number) > int32Max || (value as number) < -int32Max - 1)
      throw unusual;
    return value;
  },
  int64: readInt64,
  float64: (value) => {
    if (typeof value === 'number') return value;
    if (typeof value === 'bigint') return Number(value);
    throw unusual;
  },
  bytes: viaText(canonicalBase64),
  quantity: (value, tally) => readQuantityText(typeof value === 'number' ? String(value) : value, tally),
  intOrString: (value, tally) => (typeof value === 'string' ? value : scalarReaders.int32(value, tally)),
  time: viaText(zeroTimeAsNull(canonicalTime)),
  microTime: viaText(zeroTimeAsNull(canonicalMicroTime)),
  duration: viaText((text) => formatDuration(parseDuration(text))),
  rawExtension: readAnything,
  fieldsV1: readFields,
  any: readAnything,
};

function lazily<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}
