/** Formats a schema as upstream prints it in a message: its internal struct with every field, in Go's order. */

import { goJson, PrintedValue } from '@coxswain/apimachinery';
import { asSent, inKeyOrder } from '../meta/checks.ts';
import { schemaOf, type Schema } from './schema-tree.ts';
import type { ValidationRule } from './v1/validation-rule.ts';

export const printedSchema = (schema: Schema): PrintedValue => new PrintedValue(goJson(goSchema(schema)));

export const printedRule = (rule: ValidationRule): PrintedValue => new PrintedValue(goJson(goRule(rule)));

function goSchema(schema: Schema): Record<string, unknown> {
  return {
    ID: schema.id ?? '',
    Schema: schema.$schema ?? '',
    Ref: schema.$ref ?? null,
    Description: schema.description ?? '',
    Type: schema.type ?? '',
    Nullable: schema.nullable ?? false,
    Format: schema.format ?? '',
    Title: schema.title ?? '',
    Default: schema.default ?? null,
    Maximum: schema.maximum ?? null,
    ExclusiveMaximum: schema.exclusiveMaximum ?? false,
    Minimum: schema.minimum ?? null,
    ExclusiveMinimum: schema.exclusiveMinimum ?? false,
    MaxLength: schema.maxLength ?? null,
    MinLength: schema.minLength ?? null,
    Pattern: schema.pattern ?? '',
    MaxItems: schema.maxItems ?? null,
    MinItems: schema.minItems ?? null,
    UniqueItems: schema.uniqueItems ?? false,
    MultipleOf: schema.multipleOf ?? null,
    Enum: asSent(schema, 'enum', []),
    MaxProperties: schema.maxProperties ?? null,
    MinProperties: schema.minProperties ?? null,
    Required: asSent(schema, 'required', []),
    Items: goItems(schema.items),
    AllOf: goList(asSent(schema, 'allOf', [])),
    OneOf: goList(asSent(schema, 'oneOf', [])),
    AnyOf: goList(asSent(schema, 'anyOf', [])),
    Not: schema.not == null ? null : goSchema(schema.not),
    Properties: goMap(asSent(schema, 'properties', {}), goSchema),
    AdditionalProperties: goBoolOr(schema.additionalProperties),
    PatternProperties: goMap(asSent(schema, 'patternProperties', {}), goSchema),
    Dependencies: goMap(asSent(schema, 'dependencies', {}), goDependency),
    AdditionalItems: goBoolOr(schema.additionalItems),
    Definitions: goMap(asSent(schema, 'definitions', {}), goSchema),
    ExternalDocs: goDocumentation(schema.externalDocs),
    Example: schema.example ?? null,
    XPreserveUnknownFields: schema['x-kubernetes-preserve-unknown-fields'] ?? null,
    XEmbeddedResource: schema['x-kubernetes-embedded-resource'] ?? false,
    XIntOrString: schema['x-kubernetes-int-or-string'] ?? false,
    XListMapKeys: asSent(schema, 'x-kubernetes-list-map-keys', []),
    XListType: schema['x-kubernetes-list-type'] ?? null,
    XMapType: schema['x-kubernetes-map-type'] ?? null,
    XValidations: schema['x-kubernetes-validations']?.map(goRule) ?? null,
  };
}

const goRule = (rule: ValidationRule): Record<string, unknown> => ({
  Rule: rule.rule ?? '',
  Message: rule.message ?? '',
  MessageExpression: rule.messageExpression ?? '',
  Reason: rule.reason ?? null,
  FieldPath: rule.fieldPath ?? '',
  OptionalOldSelf: rule.optionalOldSelf ?? null,
});

const goList = (schemas: unknown): unknown => (schemas as readonly Schema[] | null)?.map(goSchema) ?? null;

function goMap<Value>(sent: unknown, print: (value: Value) => unknown): unknown {
  const members = inKeyOrder(sent as Readonly<Record<string, Value>> | null);
  if (members === null) return null;
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [name, print(value)]));
}

function goItems(items: unknown): unknown {
  if (items == null) return null;
  if (Array.isArray(items)) return { Schema: null, JSONSchemas: (items as Schema[]).map(goSchema) };
  return { Schema: goSchema(items as Schema), JSONSchemas: null };
}

function goBoolOr(value: unknown): unknown {
  if (value == null) return null;
  const schema = schemaOf(value);
  if (schema === undefined) return { Allows: value === true, Schema: null };
  return { Allows: true, Schema: goSchema(schema) };
}

function goDependency(value: unknown): unknown {
  const schema = schemaOf(value);
  return { Schema: schema ? goSchema(schema) : null, Property: Array.isArray(value) ? value : null };
}

const goDocumentation = (docs: Schema['externalDocs']): unknown =>
  docs == null ? null : { Description: docs.description ?? '', URL: docs.url ?? '' };
