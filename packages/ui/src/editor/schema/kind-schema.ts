/** The schema of a kind, from the server's OpenAPI v3. */

import { inLanguages } from '../../language/language.ts';

const text = inLanguages(
  {
    list: (of: string | undefined) => (of === undefined ? 'list' : `list of ${of}`),
    or: (types: readonly string[]) => types.join(' or '),
  },
  {
    list: (of: string | undefined) => (of === undefined ? '列表' : `${of} 列表`),
    or: (types: readonly string[]) => types.join(' 或 '),
  },
);

export interface Schema {
  readonly $ref?: string;
  readonly allOf?: readonly Schema[];
  readonly type?: string;
  readonly format?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly required?: readonly string[];
  readonly enum?: readonly unknown[];
  readonly oneOf?: readonly Schema[];
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
  readonly 'x-kubernetes-int-or-string'?: boolean;
  readonly 'x-kubernetes-group-version-kind'?: readonly {
    readonly group: string;
    readonly version: string;
    readonly kind: string;
  }[];
}

export interface OpenApiDocument {
  readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> };
}

const referencePrefix = '#/components/schemas/';

/** The schema of a kind together with the schemas that it refers to. */
export class KindSchema {
  readonly root: Schema;
  readonly #schemas: Readonly<Record<string, Schema>>;

  constructor(root: Schema, schemas: Readonly<Record<string, Schema>>) {
    this.root = root;
    this.#schemas = schemas;
  }

  /** The schema at a path; undefined if nothing is known of it. */
  at(path: readonly (string | number)[]): Schema | undefined {
    let schema: Schema | undefined = this.root;
    for (const part of path) schema = schema && this.child(schema, part);
    return schema && this.resolved(schema);
  }

  child(parent: Schema, part: string | number): Schema | undefined {
    const { properties, additionalProperties, items } = this.resolved(parent);
    if (typeof part === 'number') return items;
    const known = properties !== undefined && Object.hasOwn(properties, part) ? properties[part] : undefined;
    return known ?? (typeof additionalProperties === 'object' ? additionalProperties : undefined);
  }

  /** Resolves references. Properties beside a reference take precedence. */
  resolved(schema: Schema): Schema {
    const { $ref, allOf, ...own } = schema;
    const [part] = allOf ?? [];
    const named = $ref ?? part?.$ref;
    const target = named === undefined ? part : this.#schemas[named.slice(referencePrefix.length)];
    return target === undefined ? own : { ...this.resolved(target), ...own };
  }
}

/** @returns undefined if the document does not describe the kind */
export function schemaOfKind(
  { components: { schemas = {} } = {} }: OpenApiDocument,
  group: string,
  version: string,
  kind: string,
): KindSchema | undefined {
  const root = Object.values(schemas).find((schema) =>
    schema['x-kubernetes-group-version-kind']?.some(
      (one) => one.group === group && one.version === version && one.kind === kind,
    ),
  );
  return root && new KindSchema(root, schemas);
}

/** A short description of a field's type. */
export function typeText({ type, format, items, ...schema }: Schema): string {
  if (schema['x-kubernetes-int-or-string'] || format === 'int-or-string')
    return text().or(['integer', 'string']);
  if (type === 'array') return text().list(items?.type);
  return type ?? (schema.oneOf === undefined ? '' : text().or(schema.oneOf.map((one) => one.type ?? '')));
}
