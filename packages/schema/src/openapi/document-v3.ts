/** Assembles one group version into an OpenAPI v3 document. */

import {
  referenceTo,
  type DefinitionOptions,
  type DescriptionOf,
  type OpenApiSchema,
} from './definitions.ts';
import { describedDefinitions } from './described-definitions.ts';
import { joinedJson, mergedParts, type DocumentFragment, type EncodedDocument } from './document-part.ts';
import { joinedV3Protobuf } from './document-v3-protobuf.ts';
import { operationsOf, type OpenApiGroupVersion, type Operation, type PathOperations } from './operations.ts';
import { plainOperationsOf, type PlainPath } from './plain-operations.ts';
import { sharedParameters } from './shared-parameters.ts';
import { saidOf, type OpenApiParameter } from './parameters.ts';
import type { StructType } from '../type.ts';

export interface DocumentOptions extends Omit<DefinitionOptions, 'dialect'> {
  /** meta/v1's Status, WatchEvent, Patch, DeleteOptions, APIResourceList, …; the version's struct. */
  readonly metaTypes: readonly StructType[];
  /** `1.36` */
  readonly version: string;
}

export const openApiV3 = (groupVersion: OpenApiGroupVersion, options: DocumentOptions): OpenApiSchema =>
  documentV3(operationsOf(groupVersion), groupVersion, options);

/** For custom resources; it contains less about the server. */
export const customOpenApiV3 = (fragments: readonly DocumentFragment[]): EncodedDocument => {
  const frame = { openapi: '3.0.0', info: { title: 'Kubernetes CRD Swagger', version: 'v0.1.0' } };
  const paths = mergedParts(fragments, 'paths');
  const schemas = mergedParts(fragments, 'definitions');
  return {
    json: joinedJson(
      `${JSON.stringify(frame).slice(0, -1)},"paths":{`,
      paths,
      '},"components":{"schemas":{',
      schemas,
      '}}}',
    ),
    protobuf: () => joinedV3Protobuf(frame, paths, schemas),
  };
};

/** For non-resource paths. */
export const plainOpenApiV3 = (paths: readonly PlainPath[], options: DocumentOptions): OpenApiSchema =>
  documentV3(plainOperationsOf(paths), undefined, options);

function documentV3(
  operations: PathOperations,
  groupVersion: OpenApiGroupVersion | undefined,
  options: DocumentOptions,
): OpenApiSchema {
  const schemas = describedDefinitions(groupVersion, operations, { ...options, dialect: 'v3' });
  return {
    openapi: '3.0.0',
    info: { title: 'Kubernetes', version: options.version },
    paths: pathsV3(operations, options.descriptionOf),
    components: {
      ...(Object.keys(schemas).length > 0 && { schemas }),
      securitySchemes: { BearerToken: { type: 'apiKey', name: 'authorization', in: 'header' } },
    },
  };
}

export function pathsV3(paths: PathOperations, descriptionOf?: DescriptionOf): OpenApiSchema {
  const parameterOf = (parameter: OpenApiParameter): OpenApiSchema => parameterV3(parameter, descriptionOf);
  return Object.fromEntries(
    [...paths].map(([path, operations]) => {
      const { shared, own } = sharedParameters(operations);
      return [
        path,
        {
          ...Object.fromEntries(
            operations.map((operation, index) => [
              operation.method,
              operationV3(operation, own[index]!.map(parameterOf)),
            ]),
          ),
          ...(shared.length > 0 && { parameters: shared.map(parameterOf) }),
        },
      ];
    }),
  );
}

function operationV3(operation: Operation, parameters: readonly OpenApiSchema[]): OpenApiSchema {
  const { tag, id, description, body, responses, produces, action, kind } = operation;
  return {
    tags: [tag],
    description,
    operationId: id,
    ...(parameters.length > 0 && { parameters }),
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

const parameterV3 = (
  parameter: OpenApiParameter,
  descriptionOf: DescriptionOf | undefined,
): OpenApiSchema => ({
  name: parameter.name,
  in: parameter.in,
  ...saidOf(parameter, descriptionOf),
  ...(parameter.in === 'path' && { required: true }),
  schema: { type: parameter.type, uniqueItems: true },
});
