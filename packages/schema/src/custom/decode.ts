/**
 * Custom resources: members that the schema does not have are pruned and reported, nulls that it does not
 * allow are dropped, metadata is decoded as everywhere. Values of a wrong type stay: validation tells them.
 */

import { clean } from '../decode/clean.ts';
import { DecodeError } from '../decode/error.ts';
import { readerOf } from '../decode/read.ts';
import { goQuote } from '../scalars/go-quote.ts';
import { exactTree } from '../json/parsed.ts';
import { JsonNumber, JsonObject, setMember } from '../json/tree.ts';
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
  const duplicates: string[] = [];
  const isExact = parsed.members >= 0 && membersWithin(parsed.value) === parsed.members;
  const value = isExact ? parsed.value : valueOf(exactTree(parsed.text), '', duplicates);
  const { object, problems } = decodeCustomValue(type, value);
  return { object, problems: [...duplicates, ...problems] };
}

/** @throws DecodeError 'type' */
export function decodeCustomValue(type: StructType, value: unknown): DecodedCustom {
  if (value === null) return { object: {}, problems: [] };
  if (!isObject(value)) {
    throw new DecodeError(
      'type',
      `json: cannot unmarshal ${Array.isArray(value) ? 'array' : typeof value} into Go value of type map[string]interface {}`,
    );
  }
  const pruner = new Pruner();
  const object = pruner.struct(type, value, '');
  return { object, problems: [...pruner.unknown.sort(), ...pruner.inMetadata] };
}

class Pruner {
  readonly unknown: string[] = [];
  readonly inMetadata: string[] = [];

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
      } else if (child !== null || member.field.keepNull) {
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

const int64Max = 2n ** 63n;

/** Plain values of a tree: integers that fit 64 bits are exact, all other numbers are doubles. */
function valueOf(tree: unknown, path: string, duplicates: string[]): unknown {
  if (tree instanceof JsonNumber) return numberOf(tree.text);
  if (typeof tree === 'string') return tree.toWellFormed();
  if (Array.isArray(tree)) return tree.map((item, index) => valueOf(item, `${path}[${index}]`, duplicates));
  if (!(tree instanceof JsonObject)) return tree;
  const object: Record<string, unknown> = {};
  for (const [index, name] of tree.names.entries()) {
    const memberPath = path === '' ? name : `${path}.${name}`;
    if (Object.hasOwn(object, name)) duplicates.push(`duplicate field ${goQuote(memberPath)}`);
    setMember(object, name, valueOf(tree.values[index], memberPath, duplicates));
  }
  return object;
}

function numberOf(text: string): number | bigint {
  const value = Number(text);
  if (Number.isSafeInteger(value) || !/^-?[0-9]+$/.test(text)) return value + 0;
  const exact = BigInt(text);
  return exact < int64Max && exact >= -int64Max ? exact : value;
}

function membersWithin(value: unknown): number {
  if (Array.isArray(value)) return value.reduce((sum: number, item) => sum + membersWithin(item), 0);
  if (!isObject(value)) return 0;
  let members = 0;
  for (const name in value) members += 1 + membersWithin(value[name]);
  return members;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
