/** Resolves the references in schemas of an OpenAPI document. */
import type { SchemaProps } from '@coxswain/cel';

export interface OpenApiSchema extends Omit<SchemaProps, 'properties' | 'items' | 'additionalProperties'> {
  readonly $ref?: string;
  readonly allOf?: readonly OpenApiSchema[];
  readonly properties?: Readonly<Record<string, OpenApiSchema>>;
  readonly items?: OpenApiSchema;
  readonly additionalProperties?: OpenApiSchema | boolean;
  readonly 'x-kubernetes-group-version-kind'?: readonly {
    readonly group: string;
    readonly version: string;
    readonly kind: string;
  }[];
}

const prefix = '#/components/schemas/';

/** A schema that contains itself is omitted where it recurs. */
export function withoutReferences(
  schema: OpenApiSchema,
  schemas: Readonly<Record<string, OpenApiSchema>>,
  within: readonly string[] = [],
): SchemaProps {
  const reference = schema.$ref ?? schema.allOf?.find(({ $ref }) => $ref !== undefined)?.$ref;
  if (reference !== undefined) {
    const name = reference.slice(prefix.length);
    const found = schemas[name];
    if (found === undefined || within.includes(name)) return {};
    const { default: value } = schema;
    return {
      ...withoutReferences(found, schemas, [...within, name]),
      ...(value === undefined ? {} : { default: value }),
    };
  }
  const { properties, items, additionalProperties, format, ...rest } = schema;
  const resolve = (one: OpenApiSchema): SchemaProps => withoutReferences(one, schemas, within);
  return {
    ...rest,
    ...(format === undefined ? {} : { format }),
    ...(format === 'int-or-string' ? { 'x-kubernetes-int-or-string': true } : {}),
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, resolve(one)])),
    }),
    ...(items && { items: resolve(items) }),
    ...(additionalProperties === undefined
      ? {}
      : {
          additionalProperties:
            typeof additionalProperties === 'object' ? resolve(additionalProperties) : additionalProperties,
        }),
  };
}
