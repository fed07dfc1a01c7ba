/** Formats a schema as upstream prints it in a message: its internal struct with every field, in Go's order. */

import { goJson, PrintedValue } from '@coxswain/apimachinery';
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
    Enum: schema.enum ?? null,
    MaxProperties: schema.maxProperties ?? null,
    MinProperties: schema.minProperties ?? null,
    Required: schema.required ?? null,
    Items: goItems(schema.items),
    AllOf: goList(schema.allOf),
    OneOf: goList(schema.oneOf),
    AnyOf: goList(schema.anyOf),
    Not: schema.not == null ? null : goSchema(schema.not),
    Properties: goMap(schema.properties, goSchema),
    AdditionalProperties: goBoolOr(schema.additionalProperties),
    PatternProperties: goMap(schema.patternProperties, goSchema),
    Dependencies: goMap(schema.dependencies as Record<string, unknown> | null | undefined, goDependency),
    AdditionalItems: goBoolOr(schema.additionalItems),
    Definitions: goMap(schema.definitions, goSchema),
    ExternalDocs: goDocumentation(schema.externalDocs),
    Example: schema.example ?? null,
    XPreserveUnknownFields: schema['x-kubernetes-preserve-unknown-fields'] ?? null,
    XEmbeddedResource: schema['x-kubernetes-embedded-resource'] ?? false,
    XIntOrString: schema['x-kubernetes-int-or-string'] ?? false,
    XListMapKeys: schema['x-kubernetes-list-map-keys'] ?? null,
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

const goList = (schemas: readonly Schema[] | null | undefined): unknown => schemas?.map(goSchema) ?? null;

const goMap = <Value>(
  members: Readonly<Record<string, Value>> | null | undefined,
  print: (value: Value) => unknown,
): unknown => {
  if (members == null) return null;
  const names = Object.keys(members).sort();
  return Object.fromEntries(names.map((name) => [name, print(members[name]!)]));
};

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

const goDependency = (value: unknown): unknown =>
  Array.isArray(value)
    ? { Schema: null, Property: value }
    : { Schema: goSchema(value as Schema), Property: null };

const goDocumentation = (docs: Schema['externalDocs']): unknown =>
  docs == null ? null : { Description: docs.description ?? '', URL: docs.url ?? '' };
