/**
 * Custom resources: members that the schema does not have are pruned and reported, nulls that it does not
 * allow are dropped, metadata is decoded as everywhere. Values of a wrong type stay: validation tells them.
 */

import { clean } from '../decode/clean.ts';
import { DecodeError } from '../decode/error.ts';
import { readerOf } from '../decode/read.ts';
import { goQuote } from '../scalars/go-quote.ts';
import { plainJson } from '../json/plain.ts';
import { setMember } from '../json/tree.ts';
import { ObjectMeta } from '../meta.ts';
import { shapeOf } from '../shape.ts';
import { resolved } from '../type.ts';
import type { ParsedJson } from '../json/parsed.ts';
import type { StructType, Type } from '../type.ts';

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
 * @param nulls an apply keeps those that nothing allows, for validation to find; only defaults take their place
 * @throws DecodeError 'type'
 */
export function decodeCustomValue(
  type: StructType,
  value: unknown,
  nulls: 'dropped' | 'kept' = 'dropped',
): DecodedCustom {
  if (value === null) return { object: {}, problems: [] };
  if (!isObject(value)) {
    throw new DecodeError(
      'type',
      `json: cannot unmarshal ${Array.isArray(value) ? 'array' : typeof value} into Go value of type map[string]interface {}`,
    );
  }
  const pruner = new Pruner(nulls === 'kept');
  const object = pruner.struct(type, value, '');
  return { object, problems: [...pruner.unknown.sort(), ...pruner.inMetadata] };
}

class Pruner {
  readonly unknown: string[] = [];
  readonly inMetadata: string[] = [];
  readonly #keepsNulls: boolean;

  constructor(keepsNulls: boolean) {
    this.#keepsNulls = keepsNulls;
  }

  struct(type: StructType, value: Record<string, unknown>, path: string): Record<string, unknown> {
    const { byName } = shapeOf(type);
    const result: Record<string, unknown> = {};
    for (const name of Object.keys(value).sort()) {
      const member = byName.get(name);
      const memberPath = path === '' ? name : `${path}.${name}`;
      const child = value[name];
      if (child === undefined) continue;
      if (member === undefined) {
        if (type.preserveUnknown) setMember(result, name, child);
        else this.unknown.push(`unknown field ${goQuote(memberPath)}`);
      } else if (
        child !== null ||
        member.field.keepNull ||
        (this.#keepsNulls && member.field.default === undefined)
      ) {
        setMember(result, name, this.value(member.field.type, child, memberPath));
      }
    }
    return result;
  }

  value(type: Type, value: unknown, path: string): unknown {
    const actual = resolved(type);
    if (actual === ObjectMeta) return this.#metadata(value, path);
    if (actual.form === 'struct') return isObject(value) ? this.struct(actual, value, path) : value;
    if (actual.form === 'list') {
      if (!Array.isArray(value)) return value;
      return value.map((item: unknown, index) => this.value(actual.element, item, `${path}[${index}]`));
    }
    if (actual.form !== 'map' || !isObject(value)) return value;
    const result: Record<string, unknown> = {};
    for (const key of Object.keys(value).sort()) {
      if (value[key] === null && !actual.keepNulls && !this.#keepsNulls) continue;
      setMember(result, key, this.value(actual.value, value[key], `${path}.${key}`));
    }
    return result;
  }

  #metadata(value: unknown, path: string): unknown {
    const { value: cleaned, problems } = clean(ObjectMeta, value);
    for (const problem of problems) this.inMetadata.push(problem.replace(' field "', ` field "${path}.`));
    return readerOf(ObjectMeta)(cleaned, { members: 0 });
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
