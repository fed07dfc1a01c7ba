/**
 * Protocol buffers for messages that are given as tables: field name → number and kind. Encoding leaves out
 * what is zero or empty; decoding fills it in, skips what it doesn't know, and leaves absent messages
 * undefined, as proto3 has it.
 *
 * 64-bit integers are numbers (`int64`, exact up to 2^53: revisions, counts, sizes) or bigints (`id`: lease,
 * member and cluster numbers, which use all their bits).
 */
import { GrpcError, grpcCodes } from './grpc-status.ts';

type ScalarKind = 'bytes' | 'string' | 'bool' | 'int64' | 'uint32' | 'enum' | 'id' | 'uid';

export interface Field<
  K extends ScalarKind | MessageTable = ScalarKind | MessageTable,
  R extends boolean = boolean,
> {
  readonly number: number;
  readonly kind: K;
  readonly repeated: R;
}

export interface MessageTable {
  readonly [name: string]: Field | (() => Field);
}

interface ScalarType {
  bytes: Uint8Array;
  string: string;
  bool: boolean;
  int64: number;
  uint32: number;
  enum: number;
  id: bigint;
  uid: bigint;
}

type FieldOf<F> = F extends () => infer G ? G : F;
type KindType<K> = K extends keyof ScalarType ? ScalarType[K] : K extends MessageTable ? Decoded<K> : never;
type DecodedField<F> =
  F extends Field<infer K, infer R>
    ? R extends true
      ? KindType<K>[]
      : K extends ScalarKind
        ? KindType<K>
        : KindType<K> | undefined
    : never;
type InputKind<K> = K extends keyof ScalarType ? ScalarType[K] : K extends MessageTable ? Input<K> : never;
type InputField<F> =
  F extends Field<infer K, infer R> ? (R extends true ? readonly InputKind<K>[] : InputKind<K>) : never;

/** What a decoded message looks like: every scalar is there, messages may be undefined. */
export type Decoded<M extends MessageTable> = { [N in keyof M]: DecodedField<FieldOf<M[N]>> };
/** What can be encoded: anything may be left out. */
export type Input<M extends MessageTable> = {
  readonly [N in keyof M]?: InputField<FieldOf<M[N]>> | undefined;
};

export const field = <K extends ScalarKind | MessageTable>(number: number, kind: K): Field<K, false> => ({
  number,
  kind,
  repeated: false,
});

export const repeated = <K extends ScalarKind | MessageTable>(number: number, kind: K): Field<K, true> => ({
  number,
  kind,
  repeated: true,
});

export class MalformedMessage extends Error {}

/** @throws GrpcError for more than `bytesMax` bytes */
export function encode<M extends MessageTable>(table: M, message: Input<M>, bytesMax = Infinity): Uint8Array {
  const plan = planOf(table);
  const value = message as AnyMessage;
  const size = sizeOfMessage(plan, value);
  if (size > bytesMax) throw tooLargeToSend(size, bytesMax);
  const writer = new Writer(size);
  writeMessage(writer, plan, value);
  return writer.bytes;
}

const tooLargeToSend = (size: number, bytesMax: number): GrpcError =>
  new GrpcError(
    grpcCodes.resourceExhausted,
    `grpc: trying to send message larger than max (${size} vs. ${bytesMax})`,
  );

/** @throws MalformedMessage */
export function decode<M extends MessageTable>(table: M, bytes: Uint8Array): Decoded<M> {
  return readMessage(new Reader(bytes, 0, bytes.length), planOf(table), 0) as Decoded<M>;
}

/** Messages within messages; transactions nest. */
const depthMax = 64;

type AnyMessage = Readonly<Record<string, unknown>>;

interface PlannedField {
  readonly name: string;
  readonly number: number;
  readonly tag: number;
  readonly scalar: ScalarKind | undefined;
  readonly message: () => Plan;
  readonly repeated: boolean;
}

interface Plan {
  readonly fields: readonly PlannedField[];
  readonly byNumber: ReadonlyMap<number, PlannedField>;
  readonly empty: () => Record<string, unknown>;
}

const plans = new WeakMap<MessageTable, Plan>();

function planOf(table: MessageTable): Plan {
  const known = plans.get(table);
  if (known !== undefined) return known;
  const fields = Object.entries(table)
    .map(([name, entry]) => plannedField(name, typeof entry === 'function' ? entry() : entry))
    .sort((a, b) => a.number - b.number);
  const plan: Plan = {
    fields,
    byNumber: new Map(fields.map((each) => [each.number, each])),
    empty: emptyMessages(fields),
  };
  plans.set(table, plan);
  return plan;
}

/** Copies of one template, which is several times as fast as setting field by field. */
function emptyMessages(fields: readonly PlannedField[]): () => Record<string, unknown> {
  const template = Object.fromEntries(fields.map((each) => [each.name, emptyValue(each)]));
  const lists = fields.filter(({ repeated }) => repeated).map(({ name }) => name);
  return () => {
    const message = { ...template };
    for (const name of lists) message[name] = [];
    return message;
  };
}

function plannedField(name: string, { number, kind, repeated }: Field): PlannedField {
  const scalar = typeof kind === 'string' ? kind : undefined;
  const isDelimited = scalar === undefined || scalar === 'bytes' || scalar === 'string';
  return {
    name,
    number,
    scalar,
    repeated,
    tag: number * 8 + (isDelimited ? wireTypes.delimited : wireTypes.varint),
    message: () => planOf(kind as MessageTable),
  };
}

const wireTypes = { varint: 0, fixed64: 1, delimited: 2, fixed32: 5 } as const;
const noBytes = new Uint8Array(0);

function emptyValue({ repeated, scalar }: PlannedField): unknown {
  if (repeated) return [];
  switch (scalar) {
    case undefined:
      return undefined;
    case 'bytes':
      return noBytes;
    case 'string':
      return '';
    case 'bool':
      return false;
    case 'id':
    case 'uid':
      return 0n;
    default:
      return 0;
  }
}

const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === 0 ||
  value === false ||
  value === 0n ||
  value === '' ||
  isEmptyBytes(value);

const isEmptyBytes = (value: unknown): boolean => value instanceof Uint8Array && value.length === 0;

function sizeOfMessage(plan: Plan, message: AnyMessage): number {
  let size = 0;
  for (const planned of plan.fields) {
    const value = message[planned.name];
    if (planned.repeated) size += sizeOfRepeated(planned, value as readonly unknown[] | undefined);
    else if (!isAbsent(planned, value)) size += sizeOfVarint(planned.tag) + sizeOfValue(planned, value);
  }
  return size;
}

/** A message that is given is written even when it is empty: in a `oneof` that it is there is what counts. */
const isAbsent = ({ scalar }: PlannedField, value: unknown): boolean =>
  scalar === undefined ? value === undefined : isEmpty(value);

function sizeOfRepeated(planned: PlannedField, values: readonly unknown[] = []): number {
  let size = 0;
  for (const value of values) size += sizeOfVarint(planned.tag) + sizeOfValue(planned, value);
  return size;
}

function sizeOfValue(planned: PlannedField, value: unknown): number {
  switch (planned.scalar) {
    case undefined:
      return delimited(sizeOfMessage(planned.message(), value as AnyMessage));
    case 'bytes':
      return delimited((value as Uint8Array).length);
    case 'string':
      return delimited(Buffer.byteLength(value as string));
    case 'bool':
      return 1;
    case 'id':
    case 'uid':
      return sizeOfBigVarint(BigInt.asUintN(64, value as bigint));
    default:
      return sizeOfVarint(value as number);
  }
}

const delimited = (size: number): number => sizeOfVarint(size) + size;

function sizeOfVarint(value: number): number {
  if (value < 0) return 10;
  let size = 1;
  for (let rest = value; rest >= 0x80; rest /= 0x80) size++;
  return size;
}

function sizeOfBigVarint(value: bigint): number {
  const high = highBits(value);
  return high === 0 ? sizeOfVarint(lowBits(value)) : Math.ceil(splitBits / 7) + sizeOfVarint(high);
}

/** BigInt's arithmetic is slow: numbers are cut in two where a byte of a varint ends. */
const splitBits = 49;
const lowBits = (value: bigint): number => Number(BigInt.asUintN(splitBits, value));
const highBits = (value: bigint): number => Number(value >> BigInt(splitBits));

function writeMessage(writer: Writer, plan: Plan, message: AnyMessage): void {
  for (const planned of plan.fields) {
    const value = message[planned.name];
    if (planned.repeated) {
      for (const each of (value as readonly unknown[] | undefined) ?? []) writeField(writer, planned, each);
    } else if (!isAbsent(planned, value)) writeField(writer, planned, value);
  }
}

function writeField(writer: Writer, planned: PlannedField, value: unknown): void {
  writer.varint(planned.tag);
  switch (planned.scalar) {
    case undefined: {
      const plan = planned.message();
      writer.varint(sizeOfMessage(plan, value as AnyMessage));
      return writeMessage(writer, plan, value as AnyMessage);
    }
    case 'bytes':
      return writer.delimited(value as Uint8Array);
    case 'string':
      return writer.delimited(Buffer.from(value as string));
    case 'bool':
      return writer.varint(value ? 1 : 0);
    case 'id':
    case 'uid':
      return writer.bigVarint(BigInt.asUintN(64, value as bigint));
    default:
      return writer.varint(value as number);
  }
}

class Writer {
  readonly bytes: Uint8Array;
  #at = 0;

  constructor(size: number) {
    this.bytes = Buffer.allocUnsafe(size);
  }

  varint(value: number): void {
    if (value < 0) return this.bigVarint(BigInt.asUintN(64, BigInt(value)));
    let rest = value;
    while (rest >= 0x80) {
      this.bytes[this.#at++] = (rest % 0x80) + 0x80;
      rest = Math.floor(rest / 0x80);
    }
    this.bytes[this.#at++] = rest;
  }

  bigVarint(value: bigint): void {
    const high = highBits(value);
    let low = lowBits(value);
    if (high === 0) return this.varint(low);
    for (let bits = 0; bits < splitBits; bits += 7) {
      this.bytes[this.#at++] = (low % 0x80) + 0x80;
      low = Math.floor(low / 0x80);
    }
    this.varint(high);
  }

  delimited(bytes: Uint8Array): void {
    this.varint(bytes.length);
    this.bytes.set(bytes, this.#at);
    this.#at += bytes.length;
  }
}

function readMessage(reader: Reader, plan: Plan, depth: number): Record<string, unknown> {
  if (depth > depthMax) throw new MalformedMessage(`messages are nested more than ${depthMax} deep`);
  const message = plan.empty();
  while (!reader.isDone) {
    const tag = reader.varint();
    const wireType = tag % 8;
    const planned = plan.byNumber.get(Math.floor(tag / 8));
    if (planned === undefined) reader.skip(wireType);
    else if (planned.repeated)
      readRepeated(reader, planned, wireType, message[planned.name] as unknown[], depth);
    else message[planned.name] = readValue(reader, planned, wireType, depth);
  }
  return message;
}

/** Repeated numbers come one by one or packed together. */
function readRepeated(
  reader: Reader,
  planned: PlannedField,
  wireType: number,
  values: unknown[],
  depth: number,
): void {
  if (wireType !== wireTypes.delimited || planned.tag % 8 === wireTypes.delimited) {
    values.push(readValue(reader, planned, wireType, depth));
    return;
  }
  const packed = reader.sub();
  while (!packed.isDone) values.push(readValue(packed, planned, wireTypes.varint, depth));
}

function readValue(reader: Reader, planned: PlannedField, wireType: number, depth: number): unknown {
  if (wireType !== planned.tag % 8)
    throw new MalformedMessage(`field ${planned.name} has wire type ${wireType}`);
  switch (planned.scalar) {
    case undefined:
      return readMessage(reader.sub(), planned.message(), depth + 1);
    case 'bytes':
      return reader.delimited();
    case 'string':
      return Buffer.from(reader.delimited()).toString();
    case 'bool':
      return reader.bigVarint() !== 0n;
    case 'id':
      return BigInt.asIntN(64, reader.bigVarint());
    case 'uid':
      return reader.bigVarint();
    default:
      return reader.varint();
  }
}

class Reader {
  readonly #bytes: Uint8Array;
  #at: number;
  readonly #end: number;

  constructor(bytes: Uint8Array, start: number, end: number) {
    this.#bytes = bytes;
    this.#at = start;
    this.#end = end;
  }

  get isDone(): boolean {
    return this.#at >= this.#end;
  }

  /** Signed where it uses all 64 bits. */
  varint(): number {
    let value = 0;
    let scale = 1;
    for (let i = 0; i < 7; i++) {
      const byte = this.#byte();
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
      scale *= 0x80;
    }
    this.#at -= 7;
    return Number(BigInt.asIntN(64, this.bigVarint()));
  }

  bigVarint(): bigint {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.#byte();
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asUintN(64, value);
    }
    throw new MalformedMessage('a number is longer than ten bytes');
  }

  delimited(): Uint8Array {
    const end = this.#endOfDelimited();
    const bytes = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return bytes;
  }

  sub(): Reader {
    const end = this.#endOfDelimited();
    const reader = new Reader(this.#bytes, this.#at, end);
    this.#at = end;
    return reader;
  }

  skip(wireType: number): void {
    if (wireType === wireTypes.varint) this.bigVarint();
    else if (wireType === wireTypes.delimited) this.delimited();
    else if (wireType === wireTypes.fixed64) this.#at += 8;
    else if (wireType === wireTypes.fixed32) this.#at += 4;
    else throw new MalformedMessage(`wire type ${wireType} is not known`);
    if (this.#at > this.#end) throw new MalformedMessage('the message is cut off');
  }

  #byte(): number {
    if (this.#at >= this.#end) throw new MalformedMessage('the message is cut off');
    return this.#bytes[this.#at++]!;
  }

  #endOfDelimited(): number {
    const length = this.varint();
    const end = this.#at + length;
    if (length < 0 || end > this.#end) throw new MalformedMessage('the message is cut off');
    return end;
  }
}
