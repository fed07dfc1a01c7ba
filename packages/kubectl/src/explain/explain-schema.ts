/** Formats a schema for `explain`. */
import type { OpenApiSchema } from '../openapi/documents.ts';

type Schemas = Readonly<Record<string, OpenApiSchema>>;

const refName = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1);

const lineWidth = 80;
/** The maximum number of enum values shown in a list of fields. */
const enumLimit = 4;

export class SchemaExplanation {
  readonly #schemas: Schemas;

  constructor(schemas: Schemas) {
    this.#schemas = schemas;
  }

  /** @throws Error if there is no such field */
  explain(schema: OpenApiSchema, path: readonly string[], recursive: boolean): string {
    let current = schema;
    let heading = '';
    for (const [index, field] of path.entries()) {
      const next = this.#field(current, field);
      if (next === undefined) throw new Error(`field "${path.at(-1)}" does not exist`);
      current = next;
      if (index === path.length - 1)
        heading = `FIELD: ${field} <${this.#typeOf(current)}>\n${longEnum(current)}\n`;
    }
    const about = this.#description(current).trimEnd();
    const description = about === '' ? '    <empty>' : `${wrapped(about, 4)}\n    `;
    const fields = this.#fields(current, recursive, 1, new Set());
    return `${heading ? `${heading}\n` : ''}DESCRIPTION:\n${description}\n${fields === '' ? '' : `FIELDS:\n${fields}`}\n`;
  }

  #resolve(schema: OpenApiSchema): OpenApiSchema {
    return schema.$ref === undefined ? schema : (this.#schemas[refName(schema.$ref)] ?? schema);
  }

  /** Looks through lists, maps and references. */
  #field(schema: OpenApiSchema, field: string): OpenApiSchema | undefined {
    const { properties, items, additionalProperties, allOf = [] } = this.#resolve(schema);
    const own = properties?.[field];
    if (own !== undefined) return own;
    if (items !== undefined) return this.#field(items, field);
    if (typeof additionalProperties === 'object') return this.#field(additionalProperties, field);
    for (const alternative of allOf) {
      const found = this.#field(alternative, field);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #description(schema: OpenApiSchema): string {
    const { description, allOf = [], items, additionalProperties } = this.#resolve(schema);
    return [
      ...(description ? [`${description}\n`] : []),
      ...allOf.map((one) => this.#description(one)),
      ...(items ? [this.#description(items)] : []),
      ...(typeof additionalProperties === 'object' ? [this.#description(additionalProperties)] : []),
    ].join('');
  }

  #typeOf(schema: OpenApiSchema): string {
    const { items, additionalProperties, allOf, properties, type, $ref } = schema;
    if (items !== undefined) return `[]${this.#typeOf(items)}`;
    if (typeof additionalProperties === 'object') return `map[string]${this.#typeOf(additionalProperties)}`;
    if (allOf?.length === 1 && properties === undefined) return this.#typeOf(allOf[0] as OpenApiSchema);
    if ($ref !== undefined) {
      const target = this.#resolve(schema);
      if (target !== schema && target.type !== undefined && target.type !== 'object') return target.type;
      return refName($ref).split('.').at(-1) || 'Object';
    }
    return type === undefined || type === 'object' ? 'Object' : type;
  }

  #fields(schema: OpenApiSchema, recursive: boolean, level: number, seen: ReadonlySet<string>): string {
    if (schema.$ref !== undefined && seen.has(schema.$ref)) return '';
    const within = schema.$ref === undefined ? seen : new Set([...seen, schema.$ref]);
    const { properties = {}, required = [], allOf = [], items, additionalProperties } = this.#resolve(schema);
    const names = Object.keys(properties).sort();
    const own = names.map((name) => {
      const field = properties[name] as OpenApiSchema;
      const detail = this.#fieldText(name, field, required.includes(name), recursive, level);
      return recursive ? detail + this.#fields(field, true, level + 1, within) : detail;
    });
    const others = [
      ...allOf,
      ...(items ? [items] : []),
      ...(typeof additionalProperties === 'object' ? [additionalProperties] : []),
    ];
    return own.join('') + others.map((other) => this.#fields(other, recursive, level, within)).join('');
  }

  #fieldText(name: string, field: OpenApiSchema, required: boolean, short: boolean, level: number): string {
    const indent = level * 2;
    const first = `${' '.repeat(indent)}${name}\t<${this.#typeOf(field)}>${required ? ' -required-' : ''}${shortEnum(field, indent)}\n`;
    if (short) return first;
    return `${first}${wrapped(field.description || '<no description>', indent + 2)}\n\n`;
  }
}

const enumValue = (value: unknown): string => (value === '' ? '""' : String(value));

const longEnum = ({ enum: values }: OpenApiSchema): string =>
  values === undefined ? '' : `ENUM:${values.map((value) => `\n    ${enumValue(value)}`).join('')}`;

function shortEnum({ enum: values }: OpenApiSchema, indent: number): string {
  if (values === undefined) return '';
  const shown = values.slice(0, enumLimit).map(enumValue).join(', ');
  return `\n${' '.repeat(indent)}enum: ${shown}${values.length > enumLimit ? ', ....' : ''}`;
}

/** Wraps text at spaces and indents each line; spaces within a line are kept. */
function wrapped(text: string, indent: number): string {
  const width = lineWidth - indent;
  const space = ' '.repeat(indent);
  const lines = text.split('\n').flatMap((paragraph) => brokenLines(paragraph, width));
  return lines.map((line) => space + line).join('\n');
}

function brokenLines(paragraph: string, width: number): string[] {
  const lines = [''];
  for (const [, blanks = '', word = ''] of paragraph.matchAll(/(\s*)(\S+|$)/g)) {
    const line = lines.at(-1) as string;
    // A word longer than a line also moves to the next one, unless it is already alone.
    const before = line.length + blanks.length;
    const tooLong = before + word.length > width && before > 1;
    if (tooLong && word !== '') lines.push(word);
    else lines[lines.length - 1] = line + (line.length + blanks.length > width ? '' : blanks) + word;
  }
  return lines;
}
