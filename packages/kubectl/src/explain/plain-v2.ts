/** `explain -o plaintext-openapiv2`: formats a schema like older versions of kubectl. */
import type { OpenApiSchema } from '../openapi/documents.ts';
import { fillLines } from './fill-lines.ts';

type Schemas = Readonly<Record<string, OpenApiSchema>>;

export interface ExplainedKind {
  readonly kind: string;
  /** `apps/v1` */
  readonly groupVersion: string;
  readonly schema: OpenApiSchema;
  readonly schemas: Schemas;
}

const lineWidth = 80;
const fieldIndent = 3;
const descriptionIndent = 5;

/** @throws Error if there is no such field */
export function explainPlainV2(of: ExplainedKind, path: readonly string[], recursive: boolean): string {
  const resolve = (schema: OpenApiSchema): OpenApiSchema => resolved(of.schemas, schema);
  let current = of.schema;
  for (const field of path) {
    const next = fieldsOf(resolve, current)?.[field];
    if (next === undefined) throw new Error(`field "${field}" does not exist`);
    current = next;
  }
  const descriptions: string[] = [];
  const end = innermost(resolve, current, descriptions);
  const name = path.at(-1);
  const type = typeName(resolve, current);
  const label = end.properties === undefined ? 'FIELD:   ' : 'RESOURCE:';
  const fields =
    end.properties === undefined
      ? ''
      : `\nFIELDS:\n${recursive ? nested(resolve, end, fieldIndent, new Set()) : listed(resolve, end)}`;
  return `KIND:     ${of.kind}\nVERSION:  ${of.groupVersion}\n\n${name === undefined ? '' : `${label} ${name} <${type}>\n\n`}DESCRIPTION:\n${described(descriptions)}${fields}`;
}

type Resolve = (schema: OpenApiSchema) => OpenApiSchema;

function resolved(schemas: Schemas, schema: OpenApiSchema): OpenApiSchema {
  const reference = referenceOf(schema);
  return reference === undefined
    ? schema
    : (schemas[reference.slice(reference.lastIndexOf('/') + 1)] ?? schema);
}

/** Version 3 wraps a reference that has its own description. */
const referenceOf = (schema: OpenApiSchema): string | undefined =>
  schema.$ref ?? (schema.allOf?.length === 1 ? schema.allOf[0]?.$ref : undefined);

const elementOf = ({ items, additionalProperties }: OpenApiSchema): OpenApiSchema | undefined =>
  items ?? (typeof additionalProperties === 'object' ? additionalProperties : undefined);

function fieldsOf(resolve: Resolve, schema: OpenApiSchema): OpenApiSchema['properties'] {
  const target = resolve(schema);
  const element = elementOf(target);
  return target.properties ?? (element === undefined ? undefined : fieldsOf(resolve, element));
}

/** Follows references, lists and maps, and collects the description of each. */
function innermost(resolve: Resolve, schema: OpenApiSchema, descriptions: string[]): OpenApiSchema {
  if (schema.description) descriptions.push(schema.description);
  const target = resolve(schema);
  if (target !== schema) return innermost(resolve, target, descriptions);
  const element = elementOf(schema);
  return element === undefined ? schema : innermost(resolve, element, descriptions);
}

function described(descriptions: readonly string[]): string {
  const indent = ' '.repeat(descriptionIndent);
  if (descriptions.length === 0) return `${indent}<empty>\n`;
  const width = lineWidth - descriptionIndent;
  return descriptions.map((text) => indented(fillLines(text, width), indent)).join('\n');
}

const indented = (lines: readonly string[], indent: string): string =>
  lines.map((line) => (line === '' ? '\n' : `${indent}${line}\n`)).join('');

function typeName(resolve: Resolve, schema: OpenApiSchema): string {
  const target = resolve(schema);
  if (target.items !== undefined) return `[]${typeName(resolve, target.items)}`;
  if (typeof target.additionalProperties === 'object')
    return `map[string]${typeName(resolve, target.additionalProperties)}`;
  // For an object that may contain anything, the types of its values are unknown.
  if (target.type === 'object' && target.properties === undefined) return 'map[string]';
  return target.properties !== undefined || target.type === undefined
    ? target.type === undefined && target.properties === undefined
      ? 'string'
      : 'Object'
    : target.type;
}

function listed(resolve: Resolve, { properties = {}, required = [] }: OpenApiSchema): string {
  const indent = ' '.repeat(fieldIndent);
  const below = ' '.repeat(descriptionIndent);
  return Object.keys(properties)
    .sort()
    .map((name) => {
      const field = properties[name] as OpenApiSchema;
      const mark = required.includes(name) ? ' -required-' : '';
      const text = field.description ?? resolve(field).description ?? '';
      return `${indent}${name}\t<${typeName(resolve, field)}>${mark}\n${indented(fillLines(text, lineWidth - descriptionIndent), below)}\n`;
    })
    .join('');
}

function nested(resolve: Resolve, schema: OpenApiSchema, indent: number, seen: ReadonlySet<string>): string {
  const reference = referenceOf(schema);
  if (reference !== undefined && seen.has(reference)) return '';
  const within = reference === undefined ? seen : new Set([...seen, reference]);
  const target = resolve(schema);
  const element = elementOf(target);
  if (element !== undefined) return nested(resolve, element, indent, within);
  const { properties = {} } = target;
  return Object.keys(properties)
    .sort()
    .map((name) => {
      const field = properties[name] as OpenApiSchema;
      const line = `${' '.repeat(indent)}${name}\t<${typeName(resolve, field)}>\n`;
      return line + nested(resolve, field, indent + fieldIndent, within);
    })
    .join('');
}
