/**
 * The exact decoder: walks the input in order as Go's decoder does, reports unknown and duplicate members, fails with
 * Go's messages, and returns plain values that the fast decoder accepts. Duplicates are merged as in Go: the later
 * wins, structs and maps are merged.
 */

import { isNeitherSchemaNorList } from './either.ts';
import { goQuote } from '../scalars/go-quote.ts';
import { canonicalBase64, toBase64 } from '../scalars/base64.ts';
import { parseDuration } from '../scalars/duration.ts';
import { canonicalQuantity } from '../scalars/quantity.ts';
import { canonicalMicroTime, canonicalTime } from '../scalars/time.ts';
import { JsonNumber, JsonObject, plainOf, setMember } from '../json/tree.ts';
import { jsonKindOf } from '../json/parsed.ts';
import { isRawNumber } from '../scalars/raw-number.ts';
import { goTypeOf, shapeOf, shortNameOf } from '../shape.ts';
import {
  string,
  resolved,
  type ListType,
  type MapType,
  type ScalarName,
  type ScalarType,
  type StructType,
  type Type,
} from '../type.ts';
import { DecodeError } from '../json/decode-error.ts';

export interface Cleaned {
  readonly value: unknown;
  /** `unknown field "spec.foo"`, `duplicate field "spec.a"`, in the order of the input; at most 100. */
  readonly problems: readonly string[];
}

const problemsMax = 100;

/** `input` is a JsonTree or plain values. @throws DecodeError 'type' */
export function clean(type: StructType, input: unknown): Cleaned {
  const cleaner = new Cleaner();
  const value = cleaner.value(type, input, undefined);
  if (cleaner.firstError !== undefined) throw cleaner.firstError;
  return { value: value === null ? {} : value, problems: [...cleaner.problems] };
}

/** The value is to stay as it was. */
const unchanged = Symbol('unchanged');

class MismatchError extends DecodeError {
  readonly found: string;
  readonly goType: string;
  readonly fields: readonly string[];

  constructor(found: string, goType: string, structName: string, fields: readonly string[]) {
    const where = fields.length === 0 ? 'Go value' : `Go struct field ${structName}.${fields.join('.')}`;
    super('type', `json: cannot unmarshal ${found} into ${where} of type ${goType}`);
    this.found = found;
    this.goType = goType;
    this.fields = fields;
  }
}

class Cleaner {
  readonly problems = new Set<string>();
  /** Go continues after a value of a wrong type, and reports the first one at the end. */
  firstError: DecodeError | undefined;
  /** The struct whose field is being decoded, and the JSON names that lead to it. */
  #structName = '';
  #fields: readonly string[] = [];
  /** Includes indices and keys, for error messages. */
  #path = '';

  value(type: Type, input: unknown, before: unknown): unknown {
    const actual = resolved(type);
    switch (actual.form) {
      case 'struct':
        return this.#struct(actual, input, before);
      case 'map':
        return this.#map(actual, input, before);
      case 'list':
        return this.#list(actual, input);
      case 'scalar':
        return this.#scalar(actual, input);
    }
  }

  #struct(type: StructType, input: unknown, before: unknown): unknown {
    if (input === null) return null;
    if (!isObject(input)) return this.#mismatch(jsonKindOf(input), goTypeOf(type));
    const { byName } = shapeOf(type);
    const object = (before ?? {}) as Record<string, unknown>;
    const seen = new Set<string>();
    for (const [name, child] of membersOf(input)) {
      const member = byName.get(name);
      if (member === undefined) {
        this.#problem('unknown', name);
        continue;
      }
      if (seen.has(name)) this.#problem('duplicate', name);
      seen.add(name);
      const [structName, fields, path] = [this.#structName, this.#fields, this.#path];
      this.#structName = shortNameOf(type);
      this.#fields = [...fields, ...member.embeddedIn, name];
      this.#path = joined(path, name);
      this.#keep(object, name, child, this.value(member.field.type, child, object[name]));
      [this.#structName, this.#fields, this.#path] = [structName, fields, path];
    }
    return object;
  }

  /** `null` clears nillable values; a scalar or struct keeps an earlier value. */
  #keep(object: Record<string, unknown>, name: string, child: unknown, value: unknown): void {
    if (value === unchanged) return;
    if (child === null && typeof object[name] !== 'object' && object[name] !== undefined) return;
    object[name] = value;
  }

  #map(type: MapType, input: unknown, before: unknown): unknown {
    if (input === null) return null;
    if (!isObject(input)) return this.#mismatch(jsonKindOf(input), goTypeOf(type));
    const map = (before ?? {}) as Record<string, unknown>;
    const seen = new Set<string>();
    for (const [key, child] of membersOf(input)) {
      if (seen.has(key)) this.#problem('duplicate', key);
      seen.add(key);
      const path = this.#path;
      this.#path = joined(path, key);
      const value = this.value(type.value, child, undefined);
      setMember(map, key, value === unchanged ? null : value);
      this.#path = path;
    }
    return map;
  }

  #list(type: ListType, input: unknown): unknown {
    if (input === null) return null;
    if (!Array.isArray(input)) return this.#mismatch(jsonKindOf(input), goTypeOf(type));
    const path = this.#path;
    const list = input.map((item: unknown, index) => {
      this.#path = `${path}[${index}]`;
      const value = this.value(type.element, item, undefined);
      return value === unchanged ? null : value;
    });
    this.#path = path;
    return list;
  }

  #scalar({ scalar, either, goName = scalar }: ScalarType, input: unknown): unknown {
    if (either !== undefined) return this.#either(either, input);
    if (scalar === 'rawExtension' || scalar === 'fieldsV1' || scalar === 'any') return plainOf(input);
    if (scalar === 'quantity') return this.#quantity(input);
    if (input === null) return null;
    const kind = jsonKindOf(input);
    switch (scalar) {
      case 'string':
        return kind === 'string' ? (input as string).toWellFormed() : this.#mismatch(kind, goName);
      case 'bool':
        return kind === 'bool' ? input : this.#mismatch(kind, goName);
      case 'int32':
      case 'int64':
        return kind === 'number' ? this.#integer(input, scalar) : this.#mismatch(kind, scalar);
      case 'float64':
        return kind === 'number' ? this.#float(input) : this.#mismatch(kind, 'float64');
      case 'bytes':
        if (kind === 'array') return this.#byteList(input as unknown[]);
        return kind === 'string' ? this.#bytes(input as string) : this.#mismatch(kind, '[]uint8');
      case 'intOrString':
        if (kind === 'string') return (input as string).toWellFormed();
        return this.#abortingUnlessFine(
          kind === 'number' ? this.#integer(input, 'int32') : this.#mismatch(kind, 'int32'),
        );
      default:
        return this.#parsedText(scalar, kind, input);
    }
  }

  /** Has a decoder of its own in Go, which ignores unknown members and aborts the whole decoding on an error. */
  #either({ object, other }: NonNullable<ScalarType['either']>, input: unknown): unknown {
    if (other === 'list' && isNeitherSchemaNorList(input)) return null;
    if (Array.isArray(input) && other !== 'bool') {
      const element = other === 'strings' ? string : object;
      return input.map((item: unknown) => this.#apart(element, item));
    }
    if (isObject(input)) return this.#apart(object, input);
    const plain = plainOf(input);
    if (other === 'bool' && plain !== null && typeof plain !== 'boolean')
      throw new DecodeError('type', 'boolean or JSON schema expected');
    return plain;
  }

  #apart(type: Type, input: unknown): unknown {
    const inner = new Cleaner();
    try {
      const value = inner.value(type, input, undefined);
      if (inner.firstError !== undefined) throw inner.firstError;
      return value;
    } catch (error) {
      throw error instanceof MismatchError
        ? this.#mismatchAt(error.found, error.goType, error.fields)
        : error;
    }
  }

  /** Times and durations have unmarshallers of their own, which abort the whole decoding on an error. */
  #parsedText(scalar: ScalarName, kind: string, input: unknown): unknown {
    if (kind !== 'string') return this.#abortingUnlessFine(this.#mismatch(kind, 'string'));
    this.#check(() => textReaders[scalar]!(input as string));
    return input;
  }

  #quantity(input: unknown): unknown {
    if (input === null) return '0';
    const text = typeof input === 'string' ? input : isNumber(input) ? numberText(input) : '{}';
    this.#check(() => canonicalQuantity(text.trim()));
    return text;
  }

  #integer(input: unknown, scalar: 'int32' | 'int64'): unknown {
    const text = numberText(input);
    const bits = scalar === 'int32' ? 32 : 64;
    if (!/^-?[0-9]+$/.test(text) || BigInt.asIntN(bits, BigInt(text)) !== BigInt(text)) {
      return this.#mismatch(`number ${text}`, scalar);
    }
    const value = Number(text);
    return Number.isSafeInteger(value) ? value + 0 : BigInt(text);
  }

  #float(input: unknown): unknown {
    const value = Number(numberText(input));
    return Number.isFinite(value) ? value : this.#mismatch(`number ${numberText(input)}`, 'float64');
  }

  #bytes(text: string): unknown {
    try {
      return canonicalBase64(text);
    } catch (error) {
      this.firstError ??= new DecodeError('type', (error as Error).message);
      return unchanged;
    }
  }

  /** Go also decodes a list of small numbers into bytes. */
  #byteList(input: readonly unknown[]): unknown {
    const bytes = input.map((item) => {
      const text = isNumber(item) ? numberText(item) : '';
      if (/^[0-9]+$/.test(text) && Number(text) <= 255) return Number(text);
      if (item !== null) this.#mismatch(isNumber(item) ? `number ${text}` : jsonKindOf(item), 'uint8');
      return 0;
    });
    return toBase64(Uint8Array.from(bytes));
  }

  #check(read: () => unknown): void {
    try {
      read();
    } catch (error) {
      throw new DecodeError('type', (error as Error).message);
    }
  }

  #abortingUnlessFine(value: unknown): unknown {
    if (value !== unchanged) return value;
    throw this.#lastMismatch!;
  }

  #lastMismatch: MismatchError | undefined;

  #mismatch(found: string, goType: string): typeof unchanged {
    this.#lastMismatch = this.#mismatchAt(found, goType);
    this.firstError ??= this.#lastMismatch;
    return unchanged;
  }

  /** @param below the fields that lead on from the current one */
  #mismatchAt(found: string, goType: string, below: readonly string[] = []): MismatchError {
    return new MismatchError(found, goType, this.#structName, [...this.#fields, ...below]);
  }

  #problem(kind: 'unknown' | 'duplicate', name: string): void {
    if (this.problems.size < problemsMax)
      this.problems.add(`${kind} field ${goQuote(joined(this.#path, name))}`);
  }
}

const textReaders: Readonly<Partial<Record<ScalarName, (text: string) => unknown>>> = {
  time: canonicalTime,
  microTime: canonicalMicroTime,
  duration: parseDuration,
};

const joined = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

const isNumber = (input: unknown): boolean => jsonKindOf(input) === 'number';

const isObject = (input: unknown): boolean => jsonKindOf(input) === 'object';

function* membersOf(input: unknown): Iterable<readonly [string, unknown]> {
  if (input instanceof JsonObject) {
    for (const [index, name] of input.names.entries()) yield [name, input.values[index]];
  } else {
    yield* Object.entries(input as object).filter(([, value]) => value !== undefined);
  }
}

/** The digits of a number in either form. */
function numberText(input: unknown): string {
  if (input instanceof JsonNumber) return input.text;
  return isRawNumber(input) ? JSON.stringify(input) : String(input);
}
