/**
 * Encodes an object as JSON text exactly as upstream does: declared order, presence rules, Go's escapes. Accepts
 * normalized and modified objects. Compiled once per type into closures.
 */

import { encodeCustomWithGap, type EncodedWithGap } from './custom/encode.ts';
import { quoted, writeAny, writeSorted } from './json/write.ts';
import { nextFilled, presentMembers, shapeOf, type Member } from './shape.ts';
import {
  resolved,
  type ListType,
  type MapType,
  type ScalarName,
  type StructType,
  type Type,
} from './type.ts';

export const encode = (type: StructType, object: unknown): string =>
  type.isCustom ? writeSorted(object) : writerOf(type)(object, '');

/** Like {@link encode}, without metadata.resourceVersion. */
export function encodeWithVersionGap(type: StructType, object: unknown): EncodedWithGap {
  if (type.isCustom) return encodeCustomWithGap(object);
  const outer = memberWritersOf(type);
  const at = outer.findIndex(({ name }) => name === 'metadata');
  const metaMember = shapeOf(type).members[at];
  if (metaMember === undefined) return { text: encode(type, object), gap: -1 };
  const inner = memberWritersOf(resolved(metaMember.field.type) as StructType);
  const versionAt = inner.findIndex(({ name }) => name === 'resourceVersion');
  const { metadata } = object as { metadata?: unknown };
  const before = joined(writeRange(outer, object, 0, at), '"metadata":{');
  const named = writeRange(inner, metadata ?? {}, 0, versionAt);
  const rest = writeRange(inner, metadata ?? {}, versionAt + 1, inner.length);
  const after = writeRange(outer, object, at + 1, outer.length);
  const head = `{${before}${named}${named !== '' && rest !== '' ? ',' : ''}`;
  return {
    text: `${head}${rest}}${after === '' ? '' : `,${after}`}}`,
    gap: rest === '' ? -1 : head.length,
  };
}

const joined = (members: string, more: string): string => (members === '' ? more : `${members},${more}`);

/** Returns the value's text after `prefix`; empty when the value is omitted. */
type Write = (value: unknown, prefix: string) => string;

interface MemberWriter {
  readonly name: string;
  readonly index: number;
  /** `"name":` */
  readonly key: string;
  readonly write: Write;
  /** Returns the text, including the key, of an absent value that is written nevertheless. */
  readonly absent: (() => string) | undefined;
  /** The text of null: a pointer to the zero time is written as `null`. */
  readonly nullText: string;
}

const writers = new WeakMap<StructType, Write>();
const memberWriters = new WeakMap<StructType, readonly MemberWriter[]>();

function writerOf(struct: StructType): Write {
  let writer = writers.get(struct);
  if (writer === undefined) writers.set(struct, (writer = compileStruct(struct)));
  return writer;
}

function memberWritersOf(struct: StructType): readonly MemberWriter[] {
  let members = memberWriters.get(struct);
  if (members === undefined) memberWriters.set(struct, (members = shapeOf(struct).members.map(memberWriter)));
  return members;
}

function compileStruct(struct: StructType): Write {
  let members: readonly MemberWriter[] | undefined;
  let byName: ReadonlyMap<string, MemberWriter>;
  let fill: Int32Array;
  const prepare = (): readonly MemberWriter[] => {
    members = memberWritersOf(struct);
    byName = new Map(members.map((member) => [member.name, member]));
    fill = nextFilled(members, (member) => member.absent !== undefined);
    return members;
  };
  const fillIn = (text: string, from: number, to: number): string => {
    let filled = text;
    for (let index = fill[from]!; index < to; index = fill[index + 1]!) {
      filled = appended(filled, members![index]!.absent!());
    }
    return filled;
  };
  return (value, prefix) => {
    const all = members ?? prepare();
    const object = value as Record<string, unknown>;
    let text = '';
    let next = 0;
    const present = presentMembers(object, byName) ?? describedMembers(object, byName);
    for (let at = 0; at < present.length; at++) {
      const member = present[at]!;
      if (fill[next]! < member.index) text = fillIn(text, next, member.index);
      next = member.index + 1;
      text = appended(text, writeMember(member, object[member.name]));
    }
    return `${prefix}{${fillIn(text, next, all.length)}}`;
  };
}

/** Unknown members are not written. */
const describedMembers = (
  object: Record<string, unknown>,
  byName: ReadonlyMap<string, MemberWriter>,
): readonly MemberWriter[] => [...byName.values()].filter(({ name }) => Object.hasOwn(object, name));

const appended = (text: string, member: string): string =>
  member === '' ? text : text === '' ? member : `${text},${member}`;

/** Writes members `from` … `to - 1` in declared order, whatever their order in the object. */
function writeRange(members: readonly MemberWriter[], value: unknown, from: number, to: number): string {
  let text = '';
  for (let index = from; index < to; index++) {
    const member = members[index]!;
    text = appended(text, writeMember(member, (value as Record<string, unknown>)[member.name]));
  }
  return text;
}

function writeMember(member: MemberWriter, value: unknown): string {
  if (value === null && member.nullText !== '') return member.nullText;
  const text = value === undefined || value === null ? '' : member.write(value, member.key);
  return text === '' && member.absent !== undefined ? member.absent() : text;
}

function memberWriter({ name, index, field }: Member): MemberWriter {
  const type = resolved(field.type);
  const key = `"${name}":`;
  const write = writeOf(type);
  const optional = field.presence === 'optional';
  const isTime = type.form === 'scalar' && (type.scalar === 'time' || type.scalar === 'microTime');
  return {
    name,
    index,
    key,
    write: optional ? withoutZero(type, write) : write,
    absent: field.omitZero === true ? undefined : absentOf(type, key, field.presence),
    nullText: field.presence === 'pointer' && isTime ? `${key}null` : '',
  };
}

function absentOf(type: Type, key: string, presence: string): (() => string) | undefined {
  if (presence === 'pointer') return undefined;
  if (presence === 'nullable') return () => `${key}null`;
  const actual = resolved(type);
  if (actual.form === 'struct') return () => writerOf(actual)({}, key);
  const scalar = actual.form === 'scalar' ? actual.scalar : undefined;
  if (presence === 'optional' && (scalar === undefined || !(scalar in structLikeZeros))) return undefined;
  const isNilBytes = scalar === 'bytes' && key !== '';
  const text = `${key}${scalar === undefined || isNilBytes ? 'null' : (structLikeZeros[scalar] ?? plainZeros[scalar])}`;
  return () => text;
}

/** Go structs, which `omitempty` does not leave out. */
const structLikeZeros: Readonly<Partial<Record<ScalarName, string>>> = {
  quantity: '"0"',
  intOrString: '0',
  time: 'null',
  microTime: 'null',
  duration: '"0s"',
  rawExtension: 'null',
  any: 'null',
};

const plainZeros: Readonly<Partial<Record<ScalarName, string>>> = {
  string: '""',
  bool: 'false',
  int32: '0',
  int64: '0',
  float64: '0',
  bytes: '""',
};

function withoutZero(type: Type, write: Write): Write {
  if (type.form === 'list') {
    return (value, prefix) => ((value as readonly unknown[]).length === 0 ? '' : write(value, prefix));
  }
  if (type.form === 'map') {
    return (value, prefix) => {
      for (const _key in value as object) return write(value, prefix);
      return '';
    };
  }
  if (type.form !== 'scalar' || type.scalar in structLikeZeros) return write;
  return (value, prefix) => (value === '' || value === 0 || value === false ? '' : write(value, prefix));
}

function writeOf(type: Type): Write {
  const actual = resolved(type);
  switch (actual.form) {
    case 'struct': {
      let writer: Write | undefined;
      return (value, prefix) => (writer ??= writerOf(actual))(value, prefix);
    }
    case 'list':
      return writeList(actual);
    case 'map':
      return writeMap(actual);
    case 'scalar':
      return actual.either === undefined ? scalarWriter(actual.scalar) : writeEither(actual.either.object);
  }
}

function writeEither(object: Type): Write {
  const write = lazily(() => writeOf(object));
  const writeValue: Write = (value, prefix) => {
    if (Array.isArray(value))
      return `${prefix}[${value.map((item: unknown) => writeValue(item, '')).join(',')}]`;
    return typeof value === 'object' && value !== null ? write()(value, prefix) : prefix + writeAny(value);
  };
  return writeValue;
}

function scalarWriter(scalar: ScalarName): Write {
  switch (scalar) {
    case 'string':
    case 'bytes':
    case 'quantity':
    case 'time':
    case 'microTime':
    case 'duration':
      return writeText;
    case 'int32':
    case 'int64':
    case 'float64':
    case 'bool':
      return writePlain;
    case 'intOrString':
      return (value, prefix) => (typeof value === 'string' ? writeText : writePlain)(value, prefix);
    default:
      return (value, prefix) => prefix + writeAny(value);
  }
}

const writeText: Write = (value, prefix) => prefix + quoted(value as string);
const writePlain: Write = (value, prefix) => prefix + String(value);

function writeElement(write: Write, type: Type): Write {
  const zero = lazily(() => absentOf(type, '', 'always')!);
  return (value, prefix) =>
    value === null || value === undefined ? prefix + zero()() : write(value, prefix);
}

function writeList({ element }: ListType): Write {
  const write = lazily(() => writeElement(writeOf(element), element));
  return (value, prefix) => {
    const list = value as readonly unknown[];
    const writeItem = write();
    let text = `${prefix}[`;
    for (let index = 0; index < list.length; index++)
      text = writeItem(list[index], index === 0 ? text : `${text},`);
    return `${text}]`;
  };
}

function writeMap({ value: valueType }: MapType): Write {
  const write = lazily(() => writeElement(writeOf(valueType), valueType));
  return (value, prefix) => {
    const map = value as Record<string, unknown>;
    const writeValue = write();
    let text = `${prefix}{`;
    let first = true;
    for (const key of sortedKeys(map)) {
      text = writeValue(map[key], `${text}${first ? '' : ','}${quoted(key)}:`);
      first = false;
    }
    return `${text}}`;
  };
}

function sortedKeys(map: Record<string, unknown>): readonly string[] {
  const keys = Object.keys(map);
  for (let index = 1; index < keys.length; index++) {
    if (keys[index]! < keys[index - 1]!) return keys.sort();
  }
  return keys;
}

function lazily<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}
