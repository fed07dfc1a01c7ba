/** Validates defaults in a schema: they must be valid by the schema itself. */

import { appendAll } from '@coxswain/apimachinery/append-all.ts';
import { deepEqual, invalidError, type FieldError, type FieldPath } from '@coxswain/apimachinery';
import type { StructuralSchema } from '@coxswain/schema/custom/compile.ts';
import type { Errors } from '../meta/checks.ts';
import { embeddedErrors } from './embedded-validation.ts';
import { RuleEvaluator } from './rule-evaluation.ts';
import { schemaOf, sortedEntries, type Schema } from './schema-tree.ts';
import { schemaErrors } from './value-validation.ts';

/** Not allowed below `additionalProperties`. */
export function validateDefaults(
  schema: Schema,
  mustBePruned: boolean,
  path: FieldPath,
  errors: Errors,
  inMeta = false,
): void {
  if (schema.default != null) validateDefault(schema, mustBePruned && !inMeta, path.child('default'), errors);
  const isEmbedded = schema['x-kubernetes-embedded-resource'] === true;
  const items = schemaOf(schema.items);
  if (items !== undefined) validateDefaults(items, mustBePruned, path.child('items'), errors, inMeta);
  for (const [name, property] of sortedEntries(schema.properties)) {
    const isMeta = isEmbedded && ['metadata', 'kind', 'apiVersion'].includes(name);
    const at = path.child('properties').key(name);
    validateDefaults(property, mustBePruned, at, errors, (inMeta && !isEmbedded) || isMeta);
  }
}

function validateDefault(schema: Schema, mustBePruned: boolean, path: FieldPath, errors: Errors): void {
  const value = schema.default as unknown;
  if (mustBePruned && !deepEqual(pruned(schema, value), value)) {
    errors.invalid(path, value, 'must not have unknown fields');
  }
  const typeProblems = typeErrors(schema as StructuralSchema, value, path);
  const problems =
    typeProblems.length > 0
      ? typeProblems
      : schemaErrors(untypedIntOrString(schema as StructuralSchema), value);
  appendAll(errors, problems === typeProblems ? problems : problems.map((error) => below(path, error)));
  if (problems.length === 0) appendAll(errors, ruleErrors(schema, value, path));
}

/** Upstream validates defaults against the schema before it resolves int-or-string to its two types. */
function untypedIntOrString(schema: StructuralSchema): StructuralSchema {
  const { 'x-kubernetes-int-or-string': _, properties, items, additionalProperties, ...others } = schema;
  const inner = (value: unknown): unknown =>
    schemaOf(value) === undefined ? value : untypedIntOrString(value as StructuralSchema);
  return {
    ...others,
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, property]) => [name, untypedIntOrString(property)]),
      ),
    }),
    ...(items !== undefined && { items: inner(items) as StructuralSchema }),
    ...(additionalProperties !== undefined && {
      additionalProperties: inner(additionalProperties) as StructuralSchema | boolean,
    }),
  };
}

/** Rules see the default both as an unchanged and as a new value. */
function ruleErrors(schema: Schema, value: unknown, path: FieldPath): readonly FieldError[] {
  const rules = RuleEvaluator.of(schema, schema['x-kubernetes-embedded-resource'] === true);
  if (rules === undefined) return [];
  const { errors } = rules.evaluate(value, value, path, false);
  return errors.length > 0 ? errors : rules.evaluate(value, undefined, path).errors;
}

/** Schema errors don't contain the path of the whole value. */
function below(path: FieldPath, error: FieldError): FieldError {
  const base = path.toString();
  if (error.field === '<nil>' || error.field === '') return { ...error, field: base };
  // An index in a list is written like a member: `default.[0].name`.
  return { ...error, field: `${base}.${error.field}` };
}

/** What embedded objects say they are, at any depth. A type that is no text hides the other errors. */
function typeErrors(schema: StructuralSchema, value: unknown, path: FieldPath): readonly FieldError[] {
  if (schema['x-kubernetes-embedded-resource'] && typeof value === 'object' && value !== null) {
    const members = value as Readonly<Record<string, unknown>>;
    const wrong = ['apiVersion', 'kind'].find(
      (name) => members[name] !== undefined && typeof members[name] !== 'string',
    );
    if (wrong !== undefined) return [invalidError(path.child(wrong), members[wrong], 'must be a string')];
  }
  return embeddedErrors(schema, value, path.toString());
}

const embeddedMembers = new Set(['apiVersion', 'kind', 'metadata']);

/** Without members that the schema doesn't have. */
function pruned(schema: Schema | undefined, value: unknown): unknown {
  if (schema === undefined || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items = schemaOf(schema.items);
    return items === undefined ? value : value.map((item) => pruned(items, item));
  }
  const { properties = {}, additionalProperties } = schema;
  const preserves = schema['x-kubernetes-preserve-unknown-fields'] === true;
  const isEmbedded = schema['x-kubernetes-embedded-resource'] === true;
  const kept = Object.entries(value as object).flatMap(([name, member]: [string, unknown]) => {
    if (isEmbedded && embeddedMembers.has(name)) return [[name, member]];
    if (Object.hasOwn(properties, name)) return [[name, pruned(properties[name], member)]];
    const additional = schemaOf(additionalProperties);
    if (additional !== undefined) return [[name, pruned(additional, member)]];
    return preserves || (additionalProperties as unknown) === true ? [[name, member]] : [];
  });
  return Object.fromEntries(kept as [string, unknown][]);
}

/** Whether any default of a schema has members that the schema doesn't have. */
export function hasUnprunedDefaults(schema: Schema): boolean {
  const own = schema.default != null && !deepEqual(pruned(schema, schema.default), schema.default);
  const inner = [schemaOf(schema.items), ...Object.values(schema.properties ?? {})];
  return own || inner.some((each) => each !== undefined && hasUnprunedDefaults(each));
}
