/** What strategic merge must know of a kind: which lists merge, and by which key. */

export interface PatchRule {
  /** `merge`, `replace` or `retainKeys`; lists replace by default. */
  readonly strategies: readonly string[];
  /** The key by which items of a merged list are told apart; none for lists of plain values. */
  readonly mergeKey: string | undefined;
  readonly child: PatchSchema;
}

export interface PatchSchema {
  /** The rule of a field, of the items for a list's child. */
  field(name: string): PatchRule;
}

const plain: PatchRule = {
  strategies: [],
  mergeKey: undefined,
  get child() {
    return noPatchSchema;
  },
};

/** Nothing is known: objects merge, lists replace. */
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

/** From a document of the server's OpenAPI v3. */
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
