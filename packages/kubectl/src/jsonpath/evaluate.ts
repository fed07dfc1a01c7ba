/** Evaluates kubectl's JSONPath on plain JSON. */
import { toIndentedJson, toJson } from '../encoding/json.ts';
import { goFloat } from '@coxswain/apimachinery/go-quote.ts';
import { parseJsonPath, type JsonPathNode } from './parse.ts';

export interface JsonPathOptions {
  /** Nothing instead of an error for a field that isn't there. */
  readonly allowMissingKeys?: boolean;
}

export interface JsonPath {
  /** The values that each part of the template finds. */
  find(data: unknown): unknown[][];
  print(data: unknown): string;
  /** Every part's values as an indented JSON list. */
  printJson(data: unknown): string;
}

/** @throws Error when the template can't be read */
export function compileJsonPath(template: string, options: JsonPathOptions = {}): JsonPath {
  const { nodes } = parseJsonPath(template);
  const find = (data: unknown) => new Evaluation(nodes, options.allowMissingKeys === true).run(data);
  return {
    find,
    print: (data) =>
      find(data)
        .map((values) => values.map(valueText).join(' '))
        .join(''),
    printJson: (data) =>
      find(data)
        .map((values) => toIndentedJson(values))
        .join(''),
  };
}

export function valueText(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'object') return toJson(value);
  return typeof value === 'number' ? goFloat(value) : String(value);
}

class Evaluation {
  readonly #nodes: readonly JsonPathNode[];
  readonly #allowMissing: boolean;
  #openRanges = 0;
  #ended = -1;

  constructor(nodes: readonly JsonPathNode[], allowMissing: boolean) {
    this.#nodes = nodes;
    this.#allowMissing = allowMissing;
  }

  run(data: unknown): unknown[][] {
    return this.#block(data, 0);
  }

  /** The nodes from `from` to the end of the block, which is left in `#ended`. */
  #block(data: unknown, from: number): unknown[][] {
    const found: unknown[][] = [];
    for (let at = from; at < this.#nodes.length; at++) {
      const node = this.#nodes[at] as JsonPathNode;
      const word = keyword(node);
      if (word === 'end') {
        if (this.#openRanges === 0) throw new Error('not in range, nothing to end');
        this.#ended = at;
        return found;
      }
      const results = this.#walk([data], node);
      if (word !== 'range') {
        found.push(results);
        continue;
      }
      this.#openRanges++;
      // A range that is never ended leaves what follows it to be read once more, from outside of it.
      this.#ended = at;
      for (const value of results) found.push(...this.#block(value, at + 1));
      if (results.length === 0) this.#block(null, at + 1);
      this.#openRanges--;
      at = this.#ended;
    }
    return found;
  }

  #walk(input: unknown[], node: JsonPathNode): unknown[] {
    switch (node.type) {
      case 'text':
        return [node.text];
      case 'list':
        return node.nodes.reduce((values, child) => this.#walk(values, child), input);
      case 'field':
        return this.#field(input, node.name);
      case 'array':
        return input.flatMap((value) => slice(value, node));
      case 'filter':
        return this.#filter(input, node);
      case 'value':
        return input.map(() => node.value);
      case 'wildcard':
        return input.flatMap(childrenOf);
      case 'recursive':
        return descend(input);
      case 'union':
        return node.nodes.flatMap((child) => this.#walk(input, child));
      case 'identifier':
        if (node.name === 'range') return input;
        if (node.name === 'end') return [];
        throw new Error(`unrecognized identifier ${node.name}`);
    }
  }

  #field(input: unknown[], name: string): unknown[] {
    if (input.length === 0) return [];
    const results = input.flatMap((value) => {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
      return Object.hasOwn(value, name) ? [(value as Record<string, unknown>)[name]] : [];
    });
    if (results.length === 0 && !this.#allowMissing) throw new Error(`${name} is not found`);
    return results;
  }

  #filter(input: unknown[], node: Extract<JsonPathNode, { type: 'filter' }>): unknown[] {
    return input.flatMap((value) => {
      if (!Array.isArray(value))
        throw new Error(`${goValue(value)} is not array or slice and cannot be filtered`);
      return value.filter((item: unknown) => this.#passes(item, node));
    });
  }

  #passes(item: unknown, { left, right, operator }: Extract<JsonPathNode, { type: 'filter' }>): boolean {
    if (operator === 'exists') {
      try {
        return this.#walk([item], left).length > 0;
      } catch {
        return false;
      }
    }
    const lefts = this.#walk([item], left);
    if (lefts.length === 0) return false;
    const rights = lefts.length > 1 ? [] : this.#walk([item], right);
    if (lefts.length > 1 || rights.length > 1) throw new Error('can only compare one element at a time');
    return rights.length === 1 && compare(lefts[0], rights[0], operator);
  }
}

function keyword(node: JsonPathNode): string | undefined {
  const first = node.type === 'list' ? node.nodes[0] : undefined;
  return first?.type === 'identifier' ? first.name : undefined;
}

function slice(value: unknown, node: Extract<JsonPathNode, { type: 'array' }>): unknown[] {
  if (value === null || value === undefined) return [];
  if (!Array.isArray(value)) throw new Error(`${goType(value)} is not array or slice`);
  const { length } = value;
  let from = node.from ?? 0;
  if (from < 0) from += length;
  let to = node.to ?? length;
  if (to < 0 || (to === 0 && node.toDerived)) to += length;
  if (from === to) return [];
  if (from >= length || from < 0)
    throw new Error(`array index out of bounds: index ${from}, length ${length}`);
  if (to > length || to < 0) throw new Error(`array index out of bounds: index ${to - 1}, length ${length}`);
  if (from > to) throw new Error(`starting index ${from} is greater than ending index ${to}`);
  if (node.step !== undefined && node.step <= 0) throw new Error('step must be > 0');
  const step = node.step ?? 1;
  return (value.slice(from, to) as unknown[]).filter((_item, index) => index % step === 0);
}

function childrenOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value as unknown[];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value) as unknown[];
}

/** Every value that holds others, depth first. */
function descend(input: unknown[]): unknown[] {
  return input.flatMap((value) => {
    const children = childrenOf(value);
    return children.length === 0 ? [] : [value, ...descend(children)];
  });
}

function compare(left: unknown, right: unknown, operator: string): boolean {
  if (typeof left !== typeof right) throw new Error('incompatible types for comparison');
  const [a, b] = [left as string, right as string];
  switch (operator) {
    case '==':
      return a === b;
    case '!=':
      return a !== b;
    case '<':
      return a < b;
    case '<=':
      return a <= b;
    case '>':
      return a > b;
    case '>=':
      return a >= b;
    default:
      throw new Error(`unrecognized filter operator ${operator}`);
  }
}

const goType = (value: unknown): string =>
  typeof value === 'string'
    ? 'string'
    : typeof value === 'boolean'
      ? 'bool'
      : typeof value === 'number'
        ? 'int64'
        : 'map[string]interface {}';

/** Go's `%v`. */
export function goValue(value: unknown): string {
  if (value === null || value === undefined) return '<nil>';
  if (Array.isArray(value)) return `[${value.map(goValue).join(' ')}]`;
  if (typeof value === 'object') {
    const object = value as Record<string, unknown>;
    const pairs = Object.keys(object)
      .sort()
      .map((key) => `${key}:${goValue(object[key])}`);
    return `map[${pairs.join(' ')}]`;
  }
  return typeof value === 'number' ? goFloat(value) : String(value);
}
