/** Parsed JSON as plain values, without the losses of JSON.parse, and with duplicate members reported. */

import { NumberError } from './decode-error.ts';
import { goQuote } from '../scalars/go-quote.ts';
import { exactTree, type ParsedJson } from './parsed.ts';
import { isRawNumber } from '../scalars/raw-number.ts';
import { JsonNumber, JsonObject, numberOf, setMember } from './tree.ts';

export interface PlainJson {
  readonly value: unknown;
  /** The paths of members that occur more than once, such as `data.a`; the last one is kept. */
  readonly duplicates: readonly string[];
  /** `duplicate field "data.a"` */
  readonly problems: readonly string[];
}

/**
 * Digits: `all` keeps `1.0` and `1e3` as raw numbers; `integers` keeps only 64-bit integers exact and makes doubles of
 * the rest, as Go does for untyped values.
 * @throws DecodeError 'syntax'
 */
export function plainJson(parsed: ParsedJson, digits: 'all' | 'integers'): PlainJson {
  if (parsed.members >= 0 && membersWithin(parsed.value) === parsed.members) {
    return { value: parsed.value, duplicates: [], problems: [] };
  }
  const paths = new Set<string>();
  const readNumber = digits === 'all' ? numberOf : integerOrDouble;
  const value = valueOf(exactTree(parsed.text), '', paths, readNumber);
  const duplicates = [...paths];
  return { value, duplicates, problems: duplicates.map(duplicateField) };
}

export const duplicateField = (path: string): string => `duplicate field ${goQuote(path)}`;

/** The number of members of all objects in a value, including itself. */
export function membersWithin(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let members = 0;
  if (Array.isArray(value)) {
    for (const item of value as unknown[]) members += membersWithin(item);
    return members;
  }
  if (isRawNumber(value)) return 0;
  for (const name in value) members += 1 + membersWithin((value as Record<string, unknown>)[name]);
  return members;
}

function valueOf(
  tree: unknown,
  path: string,
  duplicates: Set<string>,
  readNumber: (text: string) => unknown,
): unknown {
  if (tree instanceof JsonNumber) return readNumber(checkedNumber(tree.text));
  if (typeof tree === 'string') return tree.toWellFormed();
  if (Array.isArray(tree)) {
    return tree.map((item, index) => valueOf(item, `${path}[${index}]`, duplicates, readNumber));
  }
  if (!(tree instanceof JsonObject)) return tree;
  const object: Record<string, unknown> = {};
  for (const [index, name] of tree.names.entries()) {
    const memberPath = path === '' ? name : `${path}.${name}`;
    if (Object.hasOwn(object, name)) duplicates.add(memberPath);
    setMember(object, name, valueOf(tree.values[index], memberPath, duplicates, readNumber));
  }
  return object;
}

/** @throws NumberError */
function checkedNumber(text: string): string {
  if (Number.isFinite(Number(text))) return text;
  throw new NumberError(text);
}

/**
 * Plain values with the numbers that Go uses for untyped values: 64-bit integers are exact, all others doubles.
 * Unchanged parts are shared.
 */
export function withGoNumbers(value: unknown): unknown {
  if (typeof value === 'bigint') return integerOrDouble(String(value));
  if (typeof value !== 'object' || value === null) return value;
  if (isRawNumber(value)) return integerOrDouble(JSON.stringify(value));
  if (Array.isArray(value)) {
    const items = value.map(withGoNumbers);
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  let changed: Record<string, unknown> | undefined;
  for (const [name, member] of Object.entries(value)) {
    const read = withGoNumbers(member);
    if (read !== member) setMember((changed ??= { ...value }), name, read);
  }
  return changed ?? value;
}

const int64Limit = 2n ** 63n;

function integerOrDouble(text: string): number | bigint {
  const value = Number(text);
  if (Number.isSafeInteger(value) || !/^-?[0-9]+$/.test(text)) return value + 0;
  const exact = BigInt(text);
  return exact < int64Limit && exact >= -int64Limit ? exact : value;
}
