/** One group version as an OpenAPI v3 document. */

import { definitionsOf, referenceTo } from './definitions.ts';
import { operationsOf } from './operations.ts';
import { referencedTypes } from './referenced-types.ts';
import { sharedParameters } from './shared-parameters.ts';
import type { DefinitionOptions, OpenApiSchema } from './definitions.ts';
import type { OpenApiGroupVersion, Operation, PathOperations } from './operations.ts';
import type { OpenApiParameter } from './parameters.ts';
import type { StructType } from '../type.ts';

export interface DocumentOptions extends Omit<DefinitionOptions, 'dialect'> {
  /** meta/v1's Status, WatchEvent, Patch, DeleteOptions, APIResourceList. */
  readonly metaTypes: readonly StructType[];
  /** `1.36` */
  readonly version: string;
}

export function openApiV3(groupVersion: OpenApiGroupVersion, options: DocumentOptions): OpenApiSchema {
  const operations = operationsOf(groupVersion);
  const roots = referencedTypes(groupVersion, operations, options.metaTypes);
  return {
    openapi: '3.0.0',
    info: { title: 'Kubernetes', version: options.version },
    paths: pathsV3(operations),
    components: {
      schemas: definitionsOf(roots, { ...options, dialect: 'v3' }),
      securitySchemes: { BearerToken: { type: 'apiKey', name: 'authorization', in: 'header' } },
    },
  };
}

export function pathsV3(paths: PathOperations): OpenApiSchema {
  return Object.fromEntries(
    [...paths].map(([path, operations]) => {
      const { shared, own } = sharedParameters(operations);
      return [
        path,
        {
          ...Object.fromEntries(
            operations.map((operation, index) => [operation.method, operationV3(operation, own[index]!)]),
          ),
          ...(shared.length > 0 && { parameters: shared.map(parameterV3) }),
        },
      ];
    }),
  );
}

function operationV3(operation: Operation, parameters: readonly OpenApiParameter[]): OpenApiSchema {
  const { tag, id, body, responses, produces, action, kind } = operation;
  return {
    tags: [tag],
    operationId: id,
    ...(parameters.length > 0 && { parameters: parameters.map(parameterV3) }),
    ...(body !== undefined && {
      requestBody: {
        content: Object.fromEntries(
          body.types.toSorted().map((type) => [type, { schema: referenceTo(body.definition, 'v3') }]),
        ),
        ...(body.isRequired && { required: true }),
      },
    }),
    responses: Object.fromEntries([
      ...responses.map(({ status, definition }) => [
        String(status),
        {
          description: statusTexts[status],
          content: Object.fromEntries(
            produces.toSorted().map((type) => [type, { schema: schemaOf(definition) }]),
          ),
        },
      ]),
      ['401', { description: 'Unauthorized' }],
    ]) as OpenApiSchema,
    ...(action !== undefined && { 'x-kubernetes-action': action }),
    ...(kind !== undefined && {
      'x-kubernetes-group-version-kind': { group: kind.group, version: kind.version, kind: kind.kind },
    }),
  };
}

export const statusTexts = { 200: 'OK', 201: 'Created', 202: 'Accepted' } as const;

const schemaOf = (definition: string): OpenApiSchema =>
  definition === 'text' ? { type: 'string' } : referenceTo(definition, 'v3');

const parameterV3 = ({ name, in: place, type }: OpenApiParameter): OpenApiSchema => ({
  name,
  in: place,
  ...(place === 'path' && { required: true }),
  schema: { type, uniqueItems: true },
});
