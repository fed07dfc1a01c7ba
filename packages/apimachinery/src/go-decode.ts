/** Decodes plain data into the shapes of Go structs, with the errors of Go's JSON decoder. */
import { jsonKindOf } from '@coxswain/schema/json/parsed.ts';
import { canonicalBase64 } from '@coxswain/schema/scalars/base64.ts';
import { messageOf } from './message-of.ts';

export type Shape =
  | 'string'
  /** Base64, which stays text, as Go would write it. */
  | 'bytes'
  | 'bool'
  | 'int'
  | 'int64'
  | 'any'
  | { readonly list: Shape }
  | { readonly map: Shape }
  | StructShape;

type Scalar = Exclude<Extract<Shape, string>, 'any'>;

export interface StructShape {
  /** The name of the Go type, with its package unless that is `types`. */
  readonly struct: string;
  readonly fields: Readonly<Record<string, Shape>>;
  /** The names of the embedded structs of fields, for error messages. */
  readonly embedded?: Readonly<Record<string, string>>;
}

export interface DecodeOptions {
  /** Whether unknown fields are errors. */
  readonly strict?: boolean;
  /** Whether numbers and booleans are accepted as strings, as when YAML is decoded into a known type. */
  readonly lenientStrings?: boolean;
  /** Whether field names must match in case. */
  readonly caseSensitive?: boolean;
}

/** @throws Error with the first problem, with Go's message */
export function decodeGo(value: unknown, shape: StructShape, options: DecodeOptions = {}): unknown {
  const decoding = new Decoding(options, shape.struct);
  const decoded = decoding.decode(value, shape, []);
  if (decoding.problem !== undefined) throw new Error(decoding.problem);
  return decoded;
}

class Decoding {
  problem: string | undefined;
  readonly #options: DecodeOptions;
  /** The innermost struct, for error messages. */
  #struct: string;

  constructor(options: DecodeOptions, struct: string) {
    this.#options = options;
    this.#struct = struct;
  }

  decode(value: unknown, shape: Shape, path: readonly string[]): unknown {
    if (value === null || value === undefined) return undefined;
    if (shape === 'any') return value;
    if (typeof shape === 'string') return this.#scalar(value, shape, path);
    if ('list' in shape) {
      if (!Array.isArray(value)) return this.#mismatch(value, shape, path);
      return value.map((item) => this.decode(item, shape.list, path) ?? zeroOf(shape.list));
    }
    if (typeof value !== 'object' || Array.isArray(value)) return this.#mismatch(value, shape, path);
    const entries = Object.entries(value as Record<string, unknown>);
    if ('map' in shape) {
      return Object.fromEntries(
        entries.map(([key, one]) => [key, this.decode(one, shape.map, path) ?? zeroOf(shape.map)]),
      );
    }
    return this.#members(entries, shape, path);
  }

  #members(
    entries: readonly (readonly [string, unknown])[],
    shape: StructShape,
    path: readonly string[],
  ): unknown {
    const decoded: Record<string, unknown> = {};
    const outer = this.#struct;
    this.#struct = shape.struct;
    for (const [key, value] of entries.toSorted(([a], [b]) => (a < b ? -1 : 1))) {
      const field = this.#fieldOf(shape, key);
      if (field === undefined) {
        if (this.#options.strict) this.problem ??= `json: unknown field ${JSON.stringify(key)}`;
        continue;
      }
      const one = this.decode(value, shape.fields[field] as Shape, [
        ...path,
        ...(shape.embedded?.[field]?.split('.') ?? []),
        field,
      ]);
      if (one !== undefined) decoded[field] = one;
    }
    this.#struct = outer;
    return decoded;
  }

  #fieldOf({ fields }: StructShape, key: string): string | undefined {
    if (Object.hasOwn(fields, key)) return key;
    if (this.#options.caseSensitive) return undefined;
    return Object.keys(fields).find((name) => name.toLowerCase() === key.toLowerCase());
  }

  #scalar(value: unknown, shape: Scalar, path: readonly string[]): unknown {
    if (shape === 'bytes') {
      if (typeof value === 'string') return this.#base64(value);
    } else if (shape === 'string') {
      if (typeof value === 'string') return value;
      const isWord = typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint';
      if (this.#options.lenientStrings && isWord) return String(value);
    } else if (shape === 'bool') {
      if (typeof value === 'boolean') return value;
    } else if (Number.isInteger(value) || typeof value === 'bigint') return Number(value);
    return this.#mismatch(value, shape, path);
  }

  #base64(text: string): string | undefined {
    try {
      return canonicalBase64(text);
    } catch (failure) {
      this.problem ??= messageOf(failure);
      return undefined;
    }
  }

  #mismatch(value: unknown, shape: Shape, path: readonly string[]): undefined {
    const where = path.length === 0 ? '' : ` struct field ${bareName(this.#struct)}.${path.join('.')}`;
    this.problem ??= `json: cannot unmarshal ${jsonKind(value, shape)} into Go${where === '' ? ' value' : where} of type ${goType(shape)}`;
    return undefined;
  }
}

/** Without its package. */
const bareName = (type: string): string => type.slice(type.lastIndexOf('.') + 1);

const zeroOf = (shape: Shape): unknown =>
  shape === 'string' || shape === 'bytes'
    ? ''
    : shape === 'bool'
      ? false
      : typeof shape === 'string'
        ? 0
        : {};

function jsonKind(value: unknown, shape: Shape): string {
  const isFraction = typeof value === 'number' && (shape === 'int' || shape === 'int64');
  return isFraction ? `number ${value}` : jsonKindOf(value);
}

const goScalars: Readonly<Partial<Record<string, string>>> = { any: 'interface {}', bytes: '[]uint8' };

function goType(shape: Shape): string {
  if (typeof shape === 'string') return goScalars[shape] ?? shape;
  if ('list' in shape) return `[]${goType(shape.list)}`;
  if ('map' in shape) return `map[string]${goType(shape.map)}`;
  return shape.struct.includes('.') ? shape.struct : `types.${shape.struct}`;
}
