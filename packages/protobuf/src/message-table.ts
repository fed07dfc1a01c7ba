/**
 * Messages described by tables: field name → number, type, and cardinality.
 *
 * 64-bit integers are numbers (`int64`, exact up to 2^53: revisions, counts, sizes) or bigints (`id`, and the unsigned
 * `uid` and `fixed64`: ids of leases and members, and times in nanoseconds, which use all bits).
 */
export type ScalarKind = 'bytes' | 'string' | 'bool' | 'int64' | 'uint32' | 'enum' | 'id' | 'uid' | 'fixed64';

/** `single` is proto3's plain field; `optional` distinguishes absent from zero, as members of a `oneof` do. */
export type Occurrence = 'single' | 'optional' | 'repeated' | 'packed';

export interface Field<
  K extends ScalarKind | MessageTable = ScalarKind | MessageTable,
  O extends Occurrence = Occurrence,
> {
  readonly number: number;
  readonly kind: K;
  readonly occurs: O;
}

/** A field may be given as a function, for messages that contain each other. */
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
  fixed64: bigint;
}

type FieldOf<F> = F extends () => infer G ? G : F;
type KindType<K> = K extends keyof ScalarType ? ScalarType[K] : K extends MessageTable ? Decoded<K> : never;
type DecodedField<F> =
  F extends Field<infer K, infer O>
    ? O extends 'repeated' | 'packed'
      ? KindType<K>[]
      : O extends 'single'
        ? K extends ScalarKind
          ? KindType<K>
          : KindType<K> | undefined
        : KindType<K> | undefined
    : never;
type InputKind<K> = K extends keyof ScalarType ? ScalarType[K] : K extends MessageTable ? Input<K> : never;
type InputField<F> =
  F extends Field<infer K, infer O>
    ? O extends 'repeated' | 'packed'
      ? readonly InputKind<K>[]
      : InputKind<K>
    : never;

/** A decoded message: every plain scalar is set, messages may be undefined. */
export type Decoded<M extends MessageTable> = { [N in keyof M]: DecodedField<FieldOf<M[N]>> };
/** A message to encode: any field may be omitted. */
export type Input<M extends MessageTable> = {
  readonly [N in keyof M]?: InputField<FieldOf<M[N]>> | undefined;
};

export const field = <K extends ScalarKind | MessageTable>(number: number, kind: K): Field<K, 'single'> => ({
  number,
  kind,
  occurs: 'single',
});

/** Written whenever it is set, even if it is zero. */
export const optional = <K extends ScalarKind>(number: number, kind: K): Field<K, 'optional'> => ({
  number,
  kind,
  occurs: 'optional',
});

export const repeated = <K extends ScalarKind | MessageTable>(
  number: number,
  kind: K,
): Field<K, 'repeated'> => ({
  number,
  kind,
  occurs: 'repeated',
});

/** Packed numbers, as in proto3. The decoder accepts both forms. */
export const packed = <K extends 'bool' | 'int64' | 'uint32' | 'enum'>(
  number: number,
  kind: K,
): Field<K, 'packed'> => ({ number, kind, occurs: 'packed' });

export const wireTypes = { varint: 0, fixed64: 1, delimited: 2, fixed32: 5 } as const;

export interface PlannedField {
  readonly name: string;
  readonly number: number;
  readonly wireType: 0 | 1 | 2;
  /** Undefined for a message. */
  readonly scalar: ScalarKind | undefined;
  readonly message: () => TablePlan;
  readonly occurs: Occurrence;
  readonly isList: boolean;
}

/** A table in the form that encoder and decoder use. */
export interface TablePlan {
  /** In descending order of numbers, since the writer works backwards. */
  readonly fields: readonly PlannedField[];
  readonly byNumber: ReadonlyMap<number, PlannedField>;
  /** Creates an empty message. */
  readonly empty: () => Record<string, unknown>;
}

const plans = new WeakMap<MessageTable, TablePlan>();

export function planOf(table: MessageTable): TablePlan {
  const known = plans.get(table);
  if (known !== undefined) return known;
  const fields = Object.entries(table)
    .map(([name, entry]) => plannedField(name, typeof entry === 'function' ? entry() : entry))
    .sort((a, b) => b.number - a.number);
  const plan: TablePlan = {
    fields,
    byNumber: new Map(fields.map((each) => [each.number, each])),
    empty: emptyMessages(fields.toReversed()),
  };
  plans.set(table, plan);
  return plan;
}

/** Copies one template, which is several times faster than setting each field. */
function emptyMessages(fields: readonly PlannedField[]): () => Record<string, unknown> {
  const template = Object.fromEntries(fields.map((each) => [each.name, emptyValue(each)]));
  const lists = fields.filter(({ isList }) => isList).map(({ name }) => name);
  return () => {
    const message = { ...template };
    for (const name of lists) message[name] = [];
    return message;
  };
}

function plannedField(name: string, { number, kind, occurs }: Field): PlannedField {
  const scalar = typeof kind === 'string' ? kind : undefined;
  return {
    name,
    number,
    scalar,
    occurs,
    isList: occurs === 'repeated' || occurs === 'packed',
    wireType: wireTypeOf(scalar),
    message: () => planOf(kind as MessageTable),
  };
}

function wireTypeOf(scalar: ScalarKind | undefined): 0 | 1 | 2 {
  if (scalar === undefined || scalar === 'bytes' || scalar === 'string') return wireTypes.delimited;
  return scalar === 'fixed64' ? wireTypes.fixed64 : wireTypes.varint;
}

const noBytes = new Uint8Array(0);

function emptyValue({ occurs, isList, scalar }: PlannedField): unknown {
  if (isList) return [];
  if (occurs === 'optional') return undefined;
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
    case 'fixed64':
      return 0n;
    default:
      return 0;
  }
}
