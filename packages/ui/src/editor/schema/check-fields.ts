/** Checks an object's fields as the server would: unknown fields, wrong types, missing fields. */

import { typeText, type KindSchema, type Schema } from './kind-schema.ts';
import type { Path } from './line-paths.ts';

export interface FieldProblem {
  /** The path of the field, or of the object that lacks one. */
  readonly path: Path;
  readonly problem:
    | { readonly kind: 'unknown'; readonly name: string }
    | { readonly kind: 'type'; readonly wanted: string }
    | { readonly kind: 'value'; readonly values: readonly unknown[] }
    | { readonly kind: 'missing'; readonly name: string };
}

const problemsMax = 100;

export function checkFields(schema: KindSchema, value: unknown): readonly FieldProblem[] {
  const problems: FieldProblem[] = [];
  walk(schema.root, value, []);
  return problems.slice(0, problemsMax);

  function walk(unresolved: Schema, one: unknown, path: Path): void {
    // Null counts as absent.
    if (one === null || one === undefined) return;
    const at = schema.resolved(unresolved);
    if (!isOfType(at, one))
      return void problems.push({ path, problem: { kind: 'type', wanted: typeText(at) } });
    if (at.enum !== undefined && !at.enum.includes(one))
      problems.push({ path, problem: { kind: 'value', values: at.enum } });
    if (Array.isArray(one))
      for (const [index, item] of one.entries()) walk(at.items ?? {}, item, [...path, index]);
    else if (typeof one === 'object') walkObject(at, one as Readonly<Record<string, unknown>>, path);
  }

  function walkObject(at: Schema, members: Readonly<Record<string, unknown>>, path: Path): void {
    for (const [name, member] of Object.entries(members)) {
      const child = schema.child(at, name);
      if (child !== undefined) walk(child, member, [...path, name]);
      else if (isClosed(at)) problems.push({ path: [...path, name], problem: { kind: 'unknown', name } });
    }
    for (const name of at.required ?? [])
      if (members[name] === undefined || members[name] === null)
        problems.push({ path, problem: { kind: 'missing', name } });
  }
}

const isClosed = (at: Schema): boolean =>
  at.properties !== undefined &&
  at.additionalProperties === undefined &&
  at['x-kubernetes-preserve-unknown-fields'] !== true;

function isOfType(at: Schema, value: unknown): boolean {
  if (at['x-kubernetes-int-or-string'] || at.format === 'int-or-string' || at.format === 'quantity')
    return typeof value === 'string' || typeof value === 'number';
  if (at.oneOf !== undefined && at.type === undefined) return at.oneOf.some((one) => isOfType(one, value));
  switch (at.type) {
    case 'string':
      return typeof value === 'string';
    case 'boolean':
      return typeof value === 'boolean';
    case 'integer':
      return Number.isInteger(value);
    case 'number':
      return typeof value === 'number';
    case 'array':
      return Array.isArray(value);
    case 'object':
      return typeof value === 'object' && !Array.isArray(value);
    default:
      return true;
  }
}
