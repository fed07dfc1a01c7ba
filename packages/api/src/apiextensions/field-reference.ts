/** Paths to a field, relative to a schema: `.spec.replicas`, `.labels['app']`. */

import { FieldPath } from '@coxswain/apimachinery';
import { schemaOf, type Schema } from './schema-tree.ts';

export interface FieldReference {
  /** As in error messages: `spec.replicas`, `labels[app]`. */
  readonly path: string;
  readonly root: string;
  readonly schema: Schema | undefined;
}

/** @returns the problem as text */
export function resolveField(
  reference: string,
  schema: Schema,
  arrayNotation = true,
): FieldReference | string {
  const tokens = tokensOf(reference);
  const walk = new Walk(schema);
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]!;
    if (token === '.') {
      const name = tokens[++at];
      if (name === undefined) return 'unexpected end of JSON path';
      const problem = walk.enter(name);
      if (problem !== undefined) return problem;
    } else if (token === '[') {
      if (!arrayNotation) return 'array notation is not allowed';
      const quoted = tokens[++at];
      if (quoted === undefined) return 'unexpected end of JSON path';
      if (quoted.length < 2 || !quoted.startsWith("'") || !quoted.endsWith("'")) {
        return `expected single quoted string but got ${quoted}`;
      }
      const bad = /\\[^abfnrtv'\\]/.exec(quoted.slice(1, -1));
      if (bad !== null) return `invalid string literal: invalid escape char ${bad[0]}`;
      const problem = walk.enter(unescaped(quoted.slice(1, -1)));
      if (problem !== undefined) return problem;
      const end = tokens[++at];
      if (end === undefined) return 'unexpected end of JSON path';
      if (end !== ']') return `expected ] but got ${end}`;
    } else return `expected [ or . but got: ${token}`;
  }
  return walk.reference();
}

class Walk {
  #schema: Schema | undefined;
  #path: FieldPath | undefined;
  #root = '';

  constructor(schema: Schema) {
    this.#schema = schema;
  }

  /** Descends to a member; returns an error text if there can be none. */
  enter(name: string): string | undefined {
    const { properties, additionalProperties } = this.#schema ?? {};
    if (properties != null && Object.keys(properties).length > 0) {
      this.#path = this.#path === undefined ? FieldPath.of(name) : this.#path.child(name);
      if (!Object.hasOwn(properties, name)) return 'does not refer to a valid field';
      this.#schema = properties[name];
    } else if (additionalProperties != null) {
      this.#path = (this.#path ?? FieldPath.of('')).key(name);
      this.#schema = schemaOf(additionalProperties);
    } else return 'does not refer to a valid field';
    if (this.#root === '') this.#root = name;
    return undefined;
  }

  reference(): FieldReference {
    return { path: this.#path?.toString() ?? '', root: this.#root, schema: this.#schema };
  }
}

/** Delimiters, quoted strings, and everything between them. */
const tokensOf = (reference: string): readonly string[] =>
  reference.match(/[.[\]]|'(?:[^'\\]|\\.)*'|'.*|[^.[\]']+[^.[\]]*/g) ?? [];

const controls: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

const unescaped = (text: string): string =>
  text.replaceAll(/\\(.)/g, (_, character: string) => controls[character] ?? character);
