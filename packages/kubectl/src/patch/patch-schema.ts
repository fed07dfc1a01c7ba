/** What strategic merge must know about a kind: which lists are merged, and by which key. */

export interface PatchRule {
  /** `merge`, `replace` or `retainKeys`; lists are replaced by default. */
  readonly strategies: readonly string[];
  /** The key that identifies items of a merged list; undefined for lists of scalars. */
  readonly mergeKey: string | undefined;
  readonly child: PatchSchema;
}

export interface PatchSchema {
  /** The strategy of a field; for a list, that of its items. */
  field(name: string): PatchRule;
}

const plain: PatchRule = {
  strategies: [],
  mergeKey: undefined,
  get child() {
    return noPatchSchema;
  },
};

/** Without any knowledge, objects are merged and lists replaced. */
export const noPatchSchema: PatchSchema = { field: () => plain };

interface OpenApiSchema {
  readonly $ref?: string;
  readonly allOf?: readonly OpenApiSchema[];
  readonly properties?: Readonly<Record<string, OpenApiSchema>>;
  readonly items?: OpenApiSchema;
  readonly additionalProperties?: OpenApiSchema | boolean;
  readonly 'x-kubernetes-patch-strategy'?: string;
  readonly 'x-kubernetes-patch-merge-key'?: string;
}

export type OpenApiSchemas = Readonly<Record<string, OpenApiSchema>>;

/** Reads the strategies from a document of the server's OpenAPI v3. */
export function openApiPatchSchema(schemas: OpenApiSchemas, schema: OpenApiSchema | undefined): PatchSchema {
  const resolved = resolve(schemas, schema);
  if (resolved === undefined) return noPatchSchema;
  return {
    field(name) {
      const property = resolved.properties?.[name] ?? additional(resolved);
      if (property === undefined) return plain;
      const target = resolve(schemas, property);
      return {
        strategies: property['x-kubernetes-patch-strategy']?.split(',') ?? [],
        mergeKey: property['x-kubernetes-patch-merge-key'],
        child: openApiPatchSchema(schemas, target?.items ?? target),
      };
    },
  };
}

const additional = (schema: OpenApiSchema): OpenApiSchema | undefined =>
  typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined;

function resolve(schemas: OpenApiSchemas, schema: OpenApiSchema | undefined): OpenApiSchema | undefined {
  const reference = schema?.$ref ?? schema?.allOf?.[0]?.$ref;
  if (reference === undefined) return schema;
  return resolve(schemas, schemas[reference.split('/').at(-1) ?? '']);
}
