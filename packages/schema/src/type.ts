/**
 * The type language. A type is a plain value that describes a part of an object; everything else (decoder, encoder,
 * defaulter, merge, apply, protobuf, OpenAPI, explain, the static type) is derived from it. Built-in kinds and custom
 * resources use the same types.
 */

declare const staticType: unique symbol;

/** `T` is the TypeScript type of a decoded value; it exists only at compile time. */
export interface Typed<out T> {
  readonly [staticType]?: T;
}

export type Static<S> = S extends Typed<infer T> ? T : never;

/**
 * The JSON form of scalars:
 *
 * | name | JSON | decoded |
 * |---|---|---|
 * | `int32` `int64` | number without fraction or exponent | number; bigint beyond ±2^53 |
 * | `bytes` | base64 text | that text |
 * | `quantity` | text or number | canonical text |
 * | `intOrString` | number or text | the same |
 * | `time` | RFC 3339 | RFC 3339 in UTC, whole seconds |
 * | `microTime` | RFC 3339 | RFC 3339 in UTC, six decimals |
 * | `duration` | Go's text (`1m0s`) | that text |
 * | `rawExtension` | any object | the same, digit by digit |
 * | `fieldsV1` | any object | the same |
 * | `any` | anything | the same |
 */
export type ScalarName =
  | 'string'
  | 'bool'
  | 'int32'
  | 'int64'
  | 'float64'
  | 'bytes'
  | 'quantity'
  | 'intOrString'
  | 'time'
  | 'microTime'
  | 'duration'
  | 'rawExtension'
  | 'fieldsV1'
  | 'any';

/** A type that has a name in Go, which error messages contain. */
interface Named {
  /** `v1.Protocol`, `types.UID` */
  readonly goName?: string;
}

export interface ScalarType<out T = unknown> extends Typed<T>, Named {
  readonly form: 'scalar';
  readonly scalar: ScalarName;
  /** For `any`: apply tracks the members of objects, although their types are unknown. */
  readonly isDeduced?: boolean;
  /** What the members of such a value are, if it is an object; others are kept. */
  readonly members?: StructType;
  /** What apply accepts, if the schema of a custom resource leaves rejecting the rest to validation. */
  readonly applied?: 'scalar' | 'anything';
  /** For `any`: the type of objects, and the other form that the value may have. */
  readonly either?: { readonly object: Type; readonly other: 'bool' | 'list' | 'strings' };
  /** The allowed values, published in OpenAPI. Other values are rejected by validation, not by decoding. */
  readonly values?: readonly string[];
  /** Bounds and patterns; set by custom resources only. */
  readonly constraints?: Constraints;
}

export interface ListType<out E extends Type = Type, out T = unknown> extends Typed<T>, Named {
  readonly form: 'list';
  readonly element: E;
  /** How server-side apply treats the list; `listType` in Kubernetes. */
  readonly merge: 'atomic' | 'set' | 'map';
  /** Whether `merge` is explicit, which OpenAPI shows. */
  readonly mergeDeclared: boolean;
  /** For `map`: the fields that identify an element. */
  readonly keys: readonly string[];
  /** Whether protobuf wraps the list in a message, `{1: repeated items}`. */
  readonly wrapped?: boolean;
  /** Whether the unknown members of its elements are kept: what a schema says of the list applies to them. */
  readonly preserveUnknown?: boolean;
  readonly constraints?: Constraints;
}

export interface MapType<out V extends Type = Type, out T = unknown> extends Typed<T>, Named {
  readonly form: 'map';
  readonly value: V;
  /** Whether server-side apply owns the map as a whole. */
  readonly atomic: boolean;
  /** Whether an explicit null is a valid value (`nullable` in the schema of a custom resource). */
  readonly keepNulls?: boolean;
  readonly constraints?: Constraints;
}

export interface StructType<out F extends Fields = Fields, out T = unknown> extends Typed<T> {
  readonly form: 'struct';
  /** `core/v1.PodSpec`; the OpenAPI name follows from it. Empty for the anonymous objects of custom resources. */
  readonly name: string;
  readonly fields: F;
  /** Whether server-side apply owns the struct as a whole. */
  readonly atomic: boolean;
  /** Whether unknown members are preserved (custom resources). */
  readonly preserveUnknown: boolean;
  /**
   * Whether apply accepts unknown members though they may be pruned: below a schema that preserves unknown fields, and
   * where no members are described at all.
   */
  readonly isOpenToApply?: boolean;
  readonly unions: readonly Union[];
  /** Features that may be disabled and affect several fields together. */
  readonly gated?: readonly GatedParts[];
  /** Whether it is a whole custom resource: values are not coerced, members are written sorted. */
  readonly isCustom?: boolean;
  readonly constraints?: Constraints;
}

/** A feature whose use isn't visible in a single field. */
export interface GatedParts {
  readonly gate: string;
  readonly isUsed: (value: Readonly<Record<string, unknown>>) => boolean;
  /** Removes the feature's use. Modifies the value. */
  readonly drop: (value: Record<string, unknown>) => void;
}

/** A type that is defined later, for recursive types. */
export interface DeferredType<out T = unknown> extends Typed<T> {
  readonly form: 'deferred';
  readonly resolve: () => Type;
}

export type Type = ScalarType | ListType | MapType | StructType | DeferredType;

/** A discriminated union among the fields of a struct, as OpenAPI's x-kubernetes-unions shows it. */
export interface Union {
  readonly discriminator?: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** The constraints of a custom resource's schema on a value; see the apiextensions server. */
export type Constraints = Readonly<Record<string, unknown>>;

/**
 * When a member is written, after Go's struct tags, which clients rely on:
 *
 * | presence | absent or zero | Go |
 * |---|---|---|
 * | `always` | its zero value; `null` for a list or map | `json:"a"` |
 * | `optional` | left out; `{}` for a struct | `json:"a,omitempty"` |
 * | `pointer` | left out if unset, written when zero | `*T` with `omitempty` |
 * | `nullable` | `null` if unset, written when zero | `*T` without `omitempty` |
 * | `embedded` | its members stand in the parent | an inlined struct |
 */
export type Presence = 'always' | 'optional' | 'pointer' | 'nullable' | 'embedded';

export interface FieldOptions {
  /** Whether OpenAPI lists the field as required. */
  readonly required?: boolean;
  /** The default for an absent or zero value if the struct is present. */
  readonly default?: unknown;
  /** Whether OpenAPI publishes `default`. */
  readonly defaultPublished?: boolean;
  /** Strategic merge: upstream's patchStrategy tag. */
  readonly patch?: 'merge' | 'replace' | 'retainKeys' | 'merge,retainKeys';
  /** Strategic merge: upstream's patchMergeKey tag. */
  readonly patchKey?: string;
  /** The name of the Go field if it is not the capitalized JSON name. Some messages and hashes contain it. */
  readonly go?: string;
  /** The feature gate that the field depends on; without it, the field is dropped. */
  readonly gate?: string;
  /** Fields of disabled features in the value are kept: upstream checks them where the value is used (claim templates). */
  readonly keepsGated?: boolean;
  /** If its gate is off, the struct is also dropped if it has no other fields. */
  readonly dropsEmptyParent?: boolean;
  /** Apply tracks the members of the value, although its type is atomic elsewhere (`structType=granular`). */
  readonly granular?: boolean;
  /** An empty list is preserved. In stored kinds it becomes null, since protobuf cannot represent it. */
  readonly keepEmpty?: boolean;
  /** An explicit null is a valid value (`nullable` in the schema of a custom resource). */
  readonly keepNull?: boolean;
  /** Omitted if zero, although it is a struct in Go (`omitzero`). */
  readonly omitZero?: boolean;
  /** The name in generated.proto if it differs. */
  readonly proto?: string;
  /** Upstream has no description of the field, so OpenAPI v3 refers to its struct directly. */
  readonly undocumented?: boolean;
  /** Bytes are a list in Go, and one field has a list's tag, which OpenAPI shows. */
  readonly bytesListType?: 'atomic';
}

export interface Field<out T extends Type = Type, out P extends Presence = Presence> extends FieldOptions {
  readonly presence: P;
  /** The protobuf field number; 0 when the field is not in protobuf. */
  readonly pb: number;
  readonly type: T;
}

export type Fields = Readonly<Record<string, Field>>;

type Flatten<T> = { [K in keyof T]: T[K] };
type Written<F> = F extends { presence: 'always' }
  ? true
  : F extends { presence: 'optional'; type: { form: 'struct' } }
    ? true
    : false;
type WrittenKeys<F extends Fields> = { [K in keyof F]: Written<F[K]> extends true ? K : never }[keyof F];
type EmbeddedKeys<F extends Fields> = {
  [K in keyof F]: F[K] extends { presence: 'embedded' } ? K : never;
}[keyof F];
type LooseKeys<F extends Fields> = Exclude<keyof F, WrittenKeys<F> | EmbeddedKeys<F>>;
type Member<F> = F extends { presence: 'nullable'; type: infer T }
  ? Static<T> | null
  : F extends { type: infer T }
    ? Static<T>
    : never;
type EmbeddedOf<F extends Fields> = [EmbeddedKeys<F>] extends [never]
  ? unknown
  : { [K in EmbeddedKeys<F>]: (part: Member<F[K]>) => void }[EmbeddedKeys<F>] extends (part: infer I) => void
    ? I
    : never;

/** The object type described by the fields of a struct. Structs that are always written are always present. */
export type ObjectOf<F extends Fields> = Flatten<
  { -readonly [K in WrittenKeys<F>]: Member<F[K]> } & {
    -readonly [K in LooseKeys<F>]?: Member<F[K]>;
  } & EmbeddedOf<F>
>;

const scalar = <T>(name: ScalarName): ScalarType<T> => ({ form: 'scalar', scalar: name });

export const string: ScalarType<string> = scalar('string');
export const bool: ScalarType<boolean> = scalar('bool');
export const int32: ScalarType<number> = scalar('int32');
/** A number for the compiler; values beyond ±2^53 are bigints at run time and are written exactly. */
export const int64: ScalarType<number> = scalar('int64');
export const float64: ScalarType<number> = scalar('float64');
export const bytes: ScalarType<string> = scalar('bytes');
export const quantity: ScalarType<string> = scalar('quantity');
export const intOrString: ScalarType<number | string> = scalar('intOrString');
export const time: ScalarType<string> = scalar('time');
export const microTime: ScalarType<string> = scalar('microTime');
export const duration: ScalarType<string> = scalar('duration');
export const rawExtension: ScalarType<unknown> = scalar('rawExtension');
export const fieldsV1: ScalarType<unknown> = scalar('fieldsV1');
export const any: ScalarType<unknown> = scalar('any');

/** An object, or a bool, a list of such objects, or a list of strings. */
export const either = (object: Type, other: 'bool' | 'list' | 'strings'): ScalarType<unknown> => ({
  form: 'scalar',
  scalar: 'any',
  either: { object, other },
});

/** A string from a closed set. */
export const oneOf = <const V extends string>(values: readonly V[]): ScalarType<V> => ({
  form: 'scalar',
  scalar: 'string',
  values,
});

/** The type, with its name in Go. */
export const named = <T extends ScalarType | ListType | MapType>(goName: string, type: T): T => ({
  ...type,
  goName,
});

/** A list that apply owns as a whole. */
export const list = <E extends Type>(element: E): ListType<E, Static<E>[]> => ({
  form: 'list',
  element,
  merge: 'atomic',
  mergeDeclared: false,
  keys: [],
});

/** {@link list} with an explicit `listType=atomic`. */
export const atomicList = <E extends Type>(element: E): ListType<E, Static<E>[]> => ({
  ...list(element),
  mergeDeclared: true,
});

/** A list of scalars in which apply owns each value. */
export const listSet = <E extends Type>(element: E): ListType<E, Static<E>[]> => ({
  ...list(element),
  merge: 'set',
  mergeDeclared: true,
});

/** A list that protobuf wraps in a message: the value of a map, or a list with a name in Go. */
export const wrappedList = <E extends Type>(element: E): ListType<E, Static<E>[]> => ({
  ...list(element),
  wrapped: true,
});

/** A list in which apply owns each element, identified by `keys`. */
export const listMap = <E extends Type>(element: E, keys: readonly string[]): ListType<E, Static<E>[]> => ({
  ...list(element),
  merge: 'map',
  mergeDeclared: true,
  keys,
});

export const map = <V extends Type>(value: V): MapType<V, Record<string, Static<V>>> => ({
  form: 'map',
  value,
  atomic: false,
});

/** A map that apply owns as a whole. */
export const atomicMap = <V extends Type>(value: V): MapType<V, Record<string, Static<V>>> => ({
  ...map(value),
  atomic: true,
});

/** `name` is `<group directory>/<version>.<Go type>`: `core/v1.PodSpec`. */
export const struct = <const F extends Fields>(
  name: string,
  fields: F,
  options: {
    atomic?: boolean;
    preserveUnknown?: boolean;
    unions?: readonly Union[];
    gated?: readonly GatedParts[];
  } = {},
): StructType<F, ObjectOf<F>> => ({
  form: 'struct',
  name,
  fields,
  atomic: options.atomic ?? false,
  preserveUnknown: options.preserveUnknown ?? false,
  unions: options.unions ?? [],
  ...(options.gated && { gated: options.gated }),
});

export const deferred = <T>(resolve: () => Type): DeferredType<T> => ({ form: 'deferred', resolve });

/** Resolves a deferred type. */
export function resolved(type: Type): ScalarType | ListType | MapType | StructType {
  let current = type;
  while (current.form === 'deferred') current = current.resolve();
  return current;
}

const field =
  <const P extends Presence>(presence: P) =>
  <T extends Type>(pb: number, type: T, options: FieldOptions = {}): Field<T, P> => ({
    ...options,
    presence,
    pb,
    type,
  });

export const always = field('always');
export const optional = field('optional');
export const pointer = field('pointer');
export const nullable = field('nullable');
export const embedded = field('embedded');
