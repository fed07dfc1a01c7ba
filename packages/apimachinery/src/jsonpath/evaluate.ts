/** Evaluates client-go's JSONPath on plain JSON. */
import { appendAll } from '../append-all.ts';
import { writeSorted } from '@coxswain/schema/json/write.ts';
import { messageOf } from '../message-of.ts';
import { parseJsonPath, type ArrayNode, type FilterNode, type JsonPathNode, type ListNode } from './parse.ts';
import { isEqual, isLess, kindOf, printedValue, TypedNumber, typeNameOf, type Numbers } from './value.ts';

export interface JsonPathOptions {
  /** Whether a missing field yields nothing instead of an error. */
  readonly allowMissingKeys?: boolean;
  /** `integers` if unset. */
  readonly numbers?: Numbers;
  /**
   * The maximum number of values to visit for one object, since descents and ranges multiply. Unlimited if unset.
   */
  readonly visitsMax?: number;
}

export interface JsonPath {
  /**
   * The values found by each part of the template; numbers that are not from the data are TypedNumbers.
   * @throws Error with client-go's message
   */
  find(data: unknown): unknown[][];
  print(data: unknown): string;
}

/** @throws Error for an invalid template */
export function compileJsonPath(template: string, options: JsonPathOptions = {}): JsonPath {
  const { nodes } = parseJsonPath(template);
  const find = (data: unknown) => new Evaluation(nodes, options).find(data);
  const textOf = (value: unknown) => valueText(value, options.numbers);
  return {
    find,
    print: (data) =>
      find(data)
        .map((values) => values.map(textOf).join(' '))
        .join(''),
  };
}

/** As client-go prints a result: lists and maps as JSON. */
export function valueText(value: unknown, numbers: Numbers = 'integers'): string {
  if (value === undefined) return '<no value>';
  if (value === null) return 'null';
  const isJson = typeof value === 'object' && !(value instanceof TypedNumber);
  return isJson ? writeSorted(value) : printedValue(value, numbers);
}

class PathError extends Error {
  /** What had been found before the failure, which counts for existence tests. */
  readonly found: readonly unknown[];

  constructor(message: string, found: readonly unknown[]) {
    super(message);
    this.found = found;
  }
}

/** The evaluation of one template for one object. */
class Evaluation {
  readonly #nodes: readonly JsonPathNode[];
  readonly #allowMissing: boolean;
  readonly #numbers: Numbers;
  #visitsLeft: number;
  /** Keywords are counted where they occur, which may be inside a filter. */
  #rangesToBegin = 0;
  #rangesToEnd = 0;
  #openRanges = 0;
  #lastEnd = -1;

  constructor(nodes: readonly JsonPathNode[], { allowMissingKeys, numbers, visitsMax }: JsonPathOptions) {
    this.#nodes = nodes;
    this.#allowMissing = allowMissingKeys === true;
    this.#numbers = numbers ?? 'integers';
    this.#visitsLeft = visitsMax ?? Infinity;
  }

  /** Evaluates from a node on: a range evaluates the nodes up to its end for each of its values. */
  find(data: unknown, from = 0): unknown[][] {
    const found: unknown[][] = [];
    for (let at = from; at < this.#nodes.length; at++) {
      const results = this.#walk([data], this.#nodes[at]!);
      if (this.#rangesToEnd > 0 && this.#rangesToEnd <= this.#openRanges) {
        this.#rangesToEnd--;
        this.#lastEnd = at;
        break;
      }
      if (this.#rangesToBegin === 0) {
        found.push(results);
        continue;
      }
      appendAll(found, this.#range(results, at + 1));
      // A range without an end causes the following nodes to be evaluated again outside it.
      at = Math.max(at, this.#lastEnd);
    }
    return found;
  }

  #range(values: readonly unknown[], from: number): unknown[][] {
    this.#rangesToBegin--;
    this.#openRanges++;
    const found = values.flatMap((value) => this.find(value ?? undefined, from));
    // Even an empty range is evaluated up to its end.
    if (values.length === 0) this.find(undefined, from);
    this.#openRanges--;
    return found;
  }

  #walk(input: unknown[], node: JsonPathNode): unknown[] {
    this.#visitsLeft -= 1 + input.length;
    if (this.#visitsLeft < 0) throw new PathError('too many values to visit', input);
    switch (node.type) {
      case 'text':
        return [node.text];
      case 'list':
        return node.nodes.reduce((values, child) => this.#walk(values, child), input);
      case 'field':
        return this.#field(input, node.name);
      case 'array':
        return this.#array(input, node);
      case 'filter':
        return this.#filter(input, node);
      case 'literal':
        return input.map(() => node.value);
      case 'wildcard':
        return input.flatMap(childrenOf);
      case 'recursive':
        return this.#descend(input);
      case 'union':
        return this.#union(input, node.nodes);
      case 'identifier':
        return this.#identifier(input, node.name);
    }
  }

  #identifier(input: unknown[], name: string): unknown[] {
    if (name === 'range') {
      this.#rangesToBegin++;
      return input;
    }
    if (name !== 'end') throw new PathError(`unrecognized identifier ${name}`, input);
    if (this.#openRanges === 0) throw new PathError('not in range, nothing to end', []);
    this.#rangesToEnd++;
    return [];
  }

  #field(input: unknown[], name: string): unknown[] {
    const results = input.flatMap((value) => {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
      return Object.hasOwn(value, name) ? [(value as Record<string, unknown>)[name]] : [];
    });
    if (input.length > 0 && results.length === 0 && !this.#allowMissing) {
      throw new PathError(`${name} is not found`, []);
    }
    return results;
  }

  #array(input: unknown[], node: ArrayNode): unknown[] {
    const results: unknown[] = [];
    for (const value of input) {
      if (value === null || value === undefined) continue;
      if (!Array.isArray(value)) {
        throw new PathError(`${typeNameOf(value, this.#numbers)} is not array or slice`, input);
      }
      const slice = sliceOf(value as unknown[], node, input);
      // An empty slice ends the whole evaluation.
      if (slice === undefined) return results;
      appendAll(results, slice);
    }
    return results;
  }

  #union(input: unknown[], nodes: readonly ListNode[]): unknown[] {
    return nodes.flatMap((node) => this.#within(input, input, node));
  }

  /** Fails with what the enclosing evaluation had found. */
  #within(around: readonly unknown[], input: unknown[], node: ListNode): unknown[] {
    try {
      return this.#walk(input, node);
    } catch (failure) {
      throw new PathError(messageOf(failure), around);
    }
  }

  #filter(input: unknown[], node: FilterNode): unknown[] {
    const results: unknown[] = [];
    for (const value of input) {
      if (!Array.isArray(value)) {
        const printed = value === undefined ? '<invalid reflect.Value>' : printedValue(value, this.#numbers);
        throw new PathError(`${printed} is not array or slice and cannot be filtered`, input);
      }
      for (const item of value as unknown[]) {
        const passes =
          node.operator === 'exists'
            ? this.#exists(item, node.left)
            : this.#compares(item, node, input, results);
        if (passes) results.push(item);
      }
    }
    return results;
  }

  #exists(item: unknown, path: ListNode): boolean {
    try {
      return this.#walk([item], path).length > 0;
    } catch (failure) {
      return (failure as PathError).found.length > 0;
    }
  }

  #compares(
    item: unknown,
    { left, right, operator }: FilterNode,
    input: readonly unknown[],
    results: readonly unknown[],
  ): boolean {
    const lefts = this.#within(input, [item], left);
    if (lefts.length === 0) return false;
    const rights = lefts.length > 1 ? [] : this.#within(input, [item], right);
    if (lefts.length > 1 || rights.length > 1) {
      throw new PathError('can only compare one element at a time', input);
    }
    if (rights.length === 0) return false;
    const compare = Object.hasOwn(operators, operator) ? operators[operator] : undefined;
    if (compare === undefined) throw new PathError(`unrecognized filter operator ${operator}`, results);
    try {
      return compare(lefts[0], rights[0], this.#numbers);
    } catch (failure) {
      throw new PathError(messageOf(failure), results);
    }
  }

  /** Every value that contains others, depth first; a string contains bytes. */
  #descend(input: readonly unknown[]): unknown[] {
    this.#visitsLeft -= input.length;
    if (this.#visitsLeft < 0) throw new PathError('too many values to visit', input);
    return input.flatMap((value) => {
      if (typeof value === 'string') return value === '' ? [] : [value];
      const children = childrenOf(value);
      return children.length === 0 ? [] : [value, ...this.#descend(children)];
    });
  }
}

type Comparison = (left: unknown, right: unknown, numbers: Numbers) => boolean;

const isLessOrEqual: Comparison = (left, right, numbers) =>
  isLess(left, right, numbers) || isEqual(left, right, numbers);

const operators: Readonly<Record<string, Comparison>> = {
  '<': isLess,
  '>': (left, right, numbers) => !isLessOrEqual(left, right, numbers),
  '==': isEqual,
  '!=': (left, right, numbers) => !isEqual(left, right, numbers),
  '<=': isLessOrEqual,
  '>=': (left, right, numbers) => !isLess(left, right, numbers),
};

/** Undefined for a slice that selects no elements at all. */
function sliceOf(
  list: readonly unknown[],
  node: ArrayNode,
  input: readonly unknown[],
): unknown[] | undefined {
  const { length } = list;
  let from = node.from ?? 0;
  if (from < 0) from += length;
  let to = node.to ?? length;
  if (to < 0 || (to === 0 && node.isIndex)) to += length;
  if (from === to) return undefined;
  const fail = (message: string) => new PathError(message, input);
  const outside = (index: number) => fail(`array index out of bounds: index ${index}, length ${length}`);
  if (from >= length || from < 0) throw outside(from);
  if (to > length || to < 0) throw outside(to - 1);
  if (from > to) throw fail(`starting index ${from} is greater than ending index ${to}`);
  if (node.step !== undefined && node.step <= 0) throw fail('step must be > 0');
  const step = node.step ?? 1;
  return list.slice(from, to).filter((_item, index) => index % step === 0);
}

const encoder = new TextEncoder();

function childrenOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value as unknown[];
  if (typeof value === 'string')
    return Array.from(encoder.encode(value), (byte) => new TypedNumber(byte, 'int'));
  return kindOf(value, 'integers') === 'map' ? (Object.values(value as object) as unknown[]) : [];
}
