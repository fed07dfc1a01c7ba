import type { CustomResourceDefinitionSpec } from './v1/custom-resource-definition.ts';
import type { JSONSchemaProps } from './v1/json-schema-props.ts';

/**
 * Rules in CEL are kept, but nothing evaluates them yet: who relies on them is told so with every write of the
 * definition, which the original would not do.
 */
export function unevaluatedRules({ spec }: { readonly spec: CustomResourceDefinitionSpec }): string[] {
  return (spec.versions ?? [])
    .filter(({ schema }) => hasRules(schema?.openAPIV3Schema))
    .map(
      ({ name }) =>
        `x-kubernetes-validations of version ${name} are stored, but not evaluated by this server`,
    );
}

function hasRules(schema: JSONSchemaProps | undefined): boolean {
  if (schema === undefined || schema === null) return false;
  if ((schema['x-kubernetes-validations'] ?? []).length > 0) return true;
  const { properties = {}, items, additionalProperties } = schema;
  return [...Object.values(properties), items, additionalProperties].some((below) =>
    typeof below === 'object' && below !== null ? hasRules(below as JSONSchemaProps) : false,
  );
}
