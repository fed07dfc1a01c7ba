/**
 * Decodes custom resources: members that the schema doesn't have are pruned and reported, disallowed nulls are dropped,
 * metadata is decoded as everywhere. Values of a wrong type are kept for validation to report.
 */

import { clean } from '../decode/clean.ts';
import { DecodeError, EmbeddedMetadataError } from '../json/decode-error.ts';
import { readerOf } from '../decode/read.ts';
import { goQuote } from '../scalars/go-quote.ts';
import { plainJson } from '../json/plain.ts';
import { writeSorted } from '../json/write.ts';
import { setMember } from '../json/tree.ts';
import { ObjectMeta } from '../meta.ts';
import { shapeOf } from '../shape.ts';
import { resolved, type MapType, type StructType, type Type } from '../type.ts';
import type { ParsedJson } from '../json/parsed.ts';

interface DecodedCustom {
  readonly object: Record<string, unknown>;
  readonly problems: readonly string[];
}

/** @throws DecodeError 'syntax' | 'type' */
export function decodeCustom(type: StructType, parsed: ParsedJson): DecodedCustom {
  const plain = plainJson(parsed, 'integers');
  const { object, problems } = decodeCustomValue(type, plain.value);
  return { object, problems: [...plain.problems, ...problems] };
}

/**
 * @param origin an apply keeps disallowed nulls for validation to report; only defaults replace them, and where values
 * may have any type validation accepts them. It drops unreadable parts of the object's own metadata
 * @throws DecodeError 'type'
 */
export function decodeCustomValue(
  type: StructType,
  value: unknown,
  origin: 'sent' | 'applied' = 'sent',
): DecodedCustom {
  if (value === null) return { object: {}, problems: [] };
  if (!isObject(value)) {
    throw new DecodeError(
      'type',
      `json: cannot unmarshal ${Array.isArray(value) ? 'array' : typeof value} into Go value of type map[string]interface {}`,
    );
  }
  const pruner = new Pruner(origin === 'applied');
  const object = pruner.struct(type, value, '');
  const { own, embedded } = pruner.inMetadata;
  return { object, problems: [...own.sort(), ...pruner.unknown.sort(), ...embedded] };
}

class Pruner {
  readonly unknown: string[] = [];
  /** What its own metadata and that of embedded objects do not have. */
  readonly inMetadata = { own: [] as string[], embedded: [] as string[] };
  readonly #isApplied: boolean;

  constructor(isApplied: boolean) {
    this.#isApplied = isApplied;
  }

  /** @param isOpen whether the list that it is an element of preserves unknown members */
  struct(
    type: StructType,
    value: Record<string, unknown>,
    path: string,
    isOpen = false,
  ): Record<string, unknown> {
    const { byName } = shapeOf(type);
    const result: Record<string, unknown> = {};
    for (const name of Object.keys(value).sort()) {
      const member = byName.get(name);
      const memberPath = path === '' ? name : `${path}.${name}`;
      const child = value[name];
      if (child === undefined) continue;
      if (member === undefined) {
        if (type.preserveUnknown || isOpen) setMember(result, name, child);
        else this.unknown.push(`unknown field ${goQuote(memberPath)}`);
      } else if (child === null && path !== '' && resolved(member.field.type) === ObjectMeta) {
        // The metadata of an embedded object is decoded separately, and left empty here.
        setMember(result, name, {});
      } else if (
        child !== null ||
        member.field.keepNull ||
        (member.field.default === undefined && this.#leavesNullTo(member.field.type))
      ) {
        setMember(result, name, this.value(member.field.type, child, memberPath));
      }
    }
    return result;
  }

  value(type: Type, value: unknown, path: string, isOpen = false): unknown {
    const actual = resolved(type);
    if (actual === ObjectMeta) return this.#metadata(value, path);
    if (isObject(value)) {
      if (actual.form === 'struct') return this.struct(actual, value, path, isOpen);
      if (actual.form === 'map') return this.#map(actual, value, path);
      if (actual.form === 'scalar' && actual.members) return this.struct(actual.members, value, path);
      return keepsAll(actual) || isOpen ? value : this.#unexpected(value, path);
    }
    if (!Array.isArray(value) || keepsAll(actual)) return value;
    if (actual.form !== 'list') return isOpen ? value : this.#unexpected(value, path);
    const isOpenBelow = isOpen || actual.preserveUnknown === true;
    return value.map((item: unknown, index) =>
      this.value(actual.element, item, `${path}[${index}]`, isOpenBelow),
    );
  }

  #map(type: MapType, value: Readonly<Record<string, unknown>>, path: string): Record<string, unknown> {
    const result: Record<string, unknown> = {};
    for (const key of Object.keys(value).sort()) {
      if (value[key] === null && !type.keepNulls && !this.#leavesNullTo(type.value)) continue;
      setMember(result, key, this.value(type.value, value[key], `${path}.${key}`));
    }
    return result;
  }

  /** Whether validation will report it. */
  #leavesNullTo(type: Type): boolean {
    const actual = resolved(type);
    return this.#isApplied && !(actual.form === 'scalar' && actual.scalar === 'any');
  }

  /** Where a schema has neither members nor items, objects at any depth lose all their members. */
  #unexpected(value: unknown, path: string): unknown {
    if (Array.isArray(value)) {
      return value.map((item: unknown, index) => this.#unexpected(item, `${path}[${index}]`));
    }
    if (!isObject(value)) return value;
    for (const key of Object.keys(value)) this.unknown.push(`unknown field ${goQuote(`${path}.${key}`)}`);
    return {};
  }

  #metadata(value: unknown, path: string): unknown {
    try {
      return this.#cleanMetadata(value, path);
    } catch (failure) {
      if (!(failure instanceof DecodeError)) throw failure;
      // For an embedded object the error includes the path.
      if (path !== 'metadata') {
        throw new EmbeddedMetadataError(path, value, writeSorted(value as object), failure);
      }
      if (!this.#isApplied || !isObject(value)) throw failure;
      return this.#readableMetadata(value);
    }
  }

  #cleanMetadata(value: unknown, path: string): unknown {
    const { value: cleaned, problems } = clean(ObjectMeta, value);
    const found = path === 'metadata' ? this.inMetadata.own : this.inMetadata.embedded;
    for (const problem of problems) found.push(problem.replace(' field "', ` field "${path}.`));
    return readerOf(ObjectMeta)(cleaned, { members: 0 });
  }

  /** Without the unreadable members. */
  #readableMetadata(value: Readonly<Record<string, unknown>>): unknown {
    const readable: Record<string, unknown> = {};
    for (const [name, member] of Object.entries(value)) {
      try {
        clean(ObjectMeta, { [name]: member });
        setMember(readable, name, member);
      } catch (failure) {
        if (!(failure instanceof DecodeError)) throw failure;
      }
    }
    return this.#cleanMetadata(readable, 'metadata');
  }
}

const keepsAll = (type: Type): boolean =>
  (type.form === 'scalar' && type.isDeduced === true) ||
  (type.form === 'struct' && type.preserveUnknown === true);

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
