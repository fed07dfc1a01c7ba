/** Formats an object as YAML, with the last writer of each line. */
import type { KubeObject } from '@coxswain/apimachinery';
import { compareYamlKeys } from '@coxswain/apimachinery/yaml/key-order.ts';
import { writeYaml } from '@coxswain/apimachinery/yaml/write.ts';
import { FieldOwners, type FieldOwner, type PathStep } from './field-owners.ts';

export interface BlamedLine {
  readonly text: string;
  /** The latest first; empty for fields set by the server, and for lines that only contain others. */
  readonly owners: readonly FieldOwner[];
}

export function blamedLines(object: KubeObject): readonly BlamedLine[] {
  const { managedFields: _left, ...metadata } = object.metadata;
  return new Writer(new FieldOwners(object)).map({ ...object, metadata }, [], '');
}

class Writer {
  readonly #owners: FieldOwners;

  constructor(owners: FieldOwners) {
    this.#owners = owners;
  }

  map(map: object, path: readonly PathStep[], indent: string): readonly BlamedLine[] {
    return Object.entries(map)
      .sort(([a], [b]) => compareYamlKeys(a, b))
      .flatMap(([key, value]) => this.#member(key, value, [...path, `f:${key}`], indent));
  }

  #member(key: string, value: unknown, path: readonly PathStep[], indent: string): readonly BlamedLine[] {
    if (!isFilled(value)) return this.#lines({ [key]: value }, path, indent);
    const heading = { text: `${indent}${writeYaml({ [key]: 0 }).split(':')[0]}:`, owners: [] };
    if (!Array.isArray(value)) return [heading, ...this.map(value, path, `${indent}  `)];
    return [heading, ...value.flatMap((item, index) => this.#item(item, index, path, indent))];
  }

  /** The items of a list are below its key; the first line of each has the dash. */
  #item(item: unknown, index: number, list: readonly PathStep[], indent: string): readonly BlamedLine[] {
    const path = [...list, this.#owners.stepOfItem(list, item, index)];
    if (!isFilled(item) || Array.isArray(item)) return this.#lines([item], path, indent);
    const [first, ...rest] = this.map(item, path, `${indent}  `);
    return [{ ...first!, text: `${indent}- ${first!.text.slice(indent.length + 2)}` }, ...rest];
  }

  #lines(yaml: unknown, path: readonly PathStep[], indent: string): readonly BlamedLine[] {
    const owners = this.#owners.of(path);
    return writeYaml(yaml)
      .trimEnd()
      .split('\n')
      .map((line) => ({ text: `${indent}${line}`, owners }));
  }
}

/** Whether it is a non-empty map or list. */
const isFilled = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && Object.keys(value).length > 0;
