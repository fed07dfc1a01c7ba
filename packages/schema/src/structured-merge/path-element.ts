/**
 * One step of a field path as in FieldsV1: `f:name` a field, `k:{"name":"x"}` an element of a list by its keys, `v:"x"`
 * an element of a set, `i:0` one by its index.
 */

import { goQuote } from '../scalars/go-quote.ts';
import { quoted, writeAny } from '../json/write.ts';
import { isEmptySet, self, type FieldSet, type FieldSetDraft } from '../field-set.ts';

export const fieldElement = (name: string): string => `f:${name}`;

export const valueElement = (value: unknown): string =>
  `v:${typeof value === 'string' ? quoted(value) : writeAny(value)}`;

/** Pairs sorted by name. */
export const keyElement = (pairs: readonly (readonly [name: string, value: unknown])[]): string =>
  `k:{${pairs.map(([name, value]) => `"${name}":${typeof value === 'string' ? quoted(value) : writeAny(value)}`).join(',')}}`;

/** Whether an element is certainly valid, determined without parsing it. */
export const isPlainElement = (element: string): boolean =>
  element.startsWith('f:') || plainElement.test(element);

const plainElement = /^(k:\{"[^"\\]*":"[^"\\]*"(,"[^"\\]*":"[^"\\]*")*\}|v:"[^"\\]*"|i:\d{1,9})$/;

/** Whether an element is of a known kind. @throws Error for an invalid one */
export function isKnownElement(element: string): boolean {
  if (element.charAt(1) !== ':') throw new Error(`missing colon: ${element}`);
  const content = element.slice(2);
  switch (element.charAt(0)) {
    case 'f':
      return true;
    case 'k': {
      const keys: unknown = JSON.parse(content);
      if (typeof keys !== 'object' || keys === null || Array.isArray(keys))
        throw new Error('expected object');
      return true;
    }
    case 'v':
      JSON.parse(content);
      return true;
    case 'i':
      if (!/^[+-]?\d+$/.test(content)) throw new Error(`invalid index: ${content}`);
      return true;
    default:
      return false;
  }
}

/** `.spec.containers[name="x"].image`, as messages show a path. */
export const pathText = (path: readonly string[]): string => path.map(elementText).join('');

/** `.name`, `[name="x"]`, `[="x"]`, `[0]` */
export function elementText(element: string): string {
  const content = element.slice(2);
  switch (element.charAt(0)) {
    case 'f':
      return `.${content}`;
    case 'k':
      return `[${pairsOf(content)
        .map(([name, value]) => `${name}=${valueText(value)}`)
        .join(',')}]`;
    case 'v':
      return `[=${valueText(JSON.parse(content))}]`;
    default:
      return `[${content}]`;
  }
}

const valueText = (value: unknown): string => (typeof value === 'string' ? goQuote(value) : writeAny(value));

const pairsOf = (json: string): [string, unknown][] => Object.entries(JSON.parse(json) as object);

/** Beyond this many elements, insertion costs more than a final sort. */
const insertedMax = 24;

/** The same set with all elements sorted, as it is stored; the set itself if it is sorted already. */
export const canonical = (set: FieldSet): FieldSet => (isCanonical(set) ? set : sorted(set));

/** As most sets are, since they come from stored objects. */
function isCanonical(set: FieldSet): boolean {
  let last: string | undefined;
  for (const element in set) {
    if (last !== undefined && compareElements(last, element) > 0) return false;
    if (!isCanonical(set[element]!)) return false;
    last = element;
  }
  return true;
}

function sorted(set: FieldSet): FieldSet {
  if (isEmptySet(set)) return set;
  const elements: string[] = [];
  const nodes: FieldSet[] = [];
  let isChanged = false;
  let isSorted = true;
  for (const element in set) {
    const node = sorted(set[element]!);
    const last = elements.length;
    let at = last;
    while (at > 0 && compareElements(elements[at - 1]!, element) > 0) {
      if (last > insertedMax) {
        isSorted = false;
        break;
      }
      elements[at] = elements[at - 1]!;
      nodes[at] = nodes[--at]!;
    }
    isChanged ||= at < last || node !== set[element];
    elements[at] = element;
    nodes[at] = node;
  }
  if (!isSorted) return sortedSet(elements, nodes);
  return isChanged ? setOf(elements, nodes) : set;
}

function sortedSet(elements: readonly string[], nodes: readonly FieldSet[]): FieldSet {
  const order = [...elements.keys()].sort((a, b) => compareElements(elements[a]!, elements[b]!));
  return setOf(
    order.map((at) => elements[at]!),
    order.map((at) => nodes[at]!),
  );
}

function setOf(elements: readonly string[], nodes: readonly FieldSet[]): FieldSet {
  const set: FieldSetDraft = {};
  for (let at = 0; at < elements.length; at++) set[elements[at]!] = nodes[at]!;
  return set;
}

/** Upstream's order: `.`, fields, keys, values, indices. */
function compareElements(a: string, b: string): number {
  if (a.charCodeAt(0) === fieldCode && b.charCodeAt(0) === fieldCode) return a < b ? -1 : a > b ? 1 : 0;
  const kindA = kindOrder(a);
  const kindB = kindOrder(b);
  if (kindA !== kindB) return kindA - kindB;
  if (kindA === keyKind) {
    const textA = singleTextOf(a);
    const textB = singleTextOf(b);
    if (textA !== undefined && textB !== undefined) return textA < textB ? -1 : textA > textB ? 1 : 0;
  }
  return kindA === keyKind
    ? comparePairs(pairsOf(a.slice(2)), pairsOf(b.slice(2)))
    : compareValues(JSON.parse(a.slice(2)), JSON.parse(b.slice(2)));
}

const singleText = /^k:\{("[^"\\]*":"[^"\\]*)"\}$/;

/** `"name":"x` of `k:{"name":"x"}`; undefined for several keys, numbers and escapes. */
const singleTextOf = (element: string): string | undefined => singleText.exec(element)?.[1];

/** `f` */
const fieldCode = 0x66;
const keyKind = 2;

function kindOrder(element: string): number {
  if (element === self) return 0;
  return 'fkvi'.indexOf(element.charAt(0)) + 1;
}

function comparePairs(a: readonly [string, unknown][], b: readonly [string, unknown][]): number {
  for (let index = 0; index < Math.min(a.length, b.length); index++) {
    const [[nameA, valueA], [nameB, valueB]] = [a[index]!, b[index]!];
    if (nameA !== nameB) return nameA < nameB ? -1 : 1;
    const order = compareValues(valueA, valueB);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

/** Numbers before strings before booleans. */
function compareValues(a: unknown, b: unknown): number {
  const [typeA, typeB] = [typeOrder(a), typeOrder(b)];
  if (typeA !== typeB) return typeA - typeB;
  return (a as string) < (b as string) ? -1 : (a as string) > (b as string) ? 1 : 0;
}

const typeOrder = (value: unknown): number => ['number', 'string', 'boolean'].indexOf(typeof value) >>> 0;
