/** All group versions as one OpenAPI v2 document, which old kubectls read. */

import { customOperationsOf } from './custom-operations.ts';
import { referenceTo } from './definitions.ts';
import { describedDefinitions } from './described-definitions.ts';
import { statusTexts } from './document-v3.ts';
import { operationsOf } from './operations.ts';
import { ParameterTable } from './parameter-table.ts';
import { sharedParameters } from './shared-parameters.ts';
import type { OpenApiSchema } from './definitions.ts';
import type { DocumentOptions } from './document-v3.ts';
import { plainOperationsOf } from './plain-operations.ts';
import type { OpenApiGroupVersion, Operation, PathOperations } from './operations.ts';
import type { PlainPath } from './plain-operations.ts';
import type { OpenApiParameter } from './parameters.ts';

export function openApiV2(
  groupVersions: readonly OpenApiGroupVersion[],
  plainPaths: readonly PlainPath[],
  options: DocumentOptions,
): OpenApiSchema {
  const paths: Record<string, OpenApiSchema> = {};
  const definitions: Record<string, OpenApiSchema> = {};
  const table = new ParameterTable();
  const add = (operations: PathOperations, groupVersion?: OpenApiGroupVersion) => {
    for (const [path, atPath] of operations) paths[path] = pathV2(atPath, table);
    Object.assign(definitions, describedDefinitions(groupVersion, operations, { ...options, dialect: 'v2' }));
  };
  for (const groupVersion of groupVersions) {
    const isCustom = groupVersion.resources.some(({ custom }) => custom !== undefined);
    add(isCustom ? customOperationsOf(groupVersion) : operationsOf(groupVersion), groupVersion);
  }
  add(plainOperationsOf(plainPaths));
  return {
    swagger: '2.0',
    info: { title: 'Kubernetes', version: options.version },
    paths: sortedByName(paths),
    definitions: sortedByName(definitions),
    parameters: table.sorted(),
    securityDefinitions: { BearerToken: { type: 'apiKey', name: 'authorization', in: 'header' } },
    security: [{ BearerToken: [] }],
  };
}

const sortedByName = (schemas: Record<string, OpenApiSchema>): OpenApiSchema =>
  Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1)));

function pathV2(operations: readonly Operation[], table: ParameterTable): OpenApiSchema {
  const { shared, own } = sharedParameters(operations);
  return {
    ...Object.fromEntries(
      operations.map((operation, index) => [operation.method, operationV2(operation, own[index]!, table)]),
    ),
    ...(shared.length > 0 && { parameters: shared.map((parameter) => table.refer(parameterV2(parameter))) }),
  };
}

function operationV2(
  operation: Operation,
  own: readonly OpenApiParameter[],
  table: ParameterTable,
): OpenApiSchema {
  const { tag, id, body, responses, produces, consumes = body?.types ?? ['*/*'], action, kind } = operation;
  const parameters = [
    ...(body === undefined
      ? []
      : [
          {
            name: 'body',
            in: 'body',
            ...(body.isRequired && { required: true }),
            schema: referenceTo(body.definition, 'v2'),
          },
        ]),
    ...own.map(parameterV2),
  ];
  return {
    ...(consumes.length > 0 && { consumes }),
    produces,
    schemes: ['https'],
    tags: [tag],
    operationId: id,
    ...(parameters.length > 0 && { parameters: parameters.map((parameter) => table.refer(parameter)) }),
    responses: Object.fromEntries([
      ...responses.map(({ status, definition }) => [
        String(status),
        {
          description: statusTexts[status],
          schema: definition === 'text' ? { type: 'string' } : referenceTo(definition, 'v2'),
        },
      ]),
      ['401', { description: 'Unauthorized' }],
    ]) as OpenApiSchema,
    ...(action !== undefined && { 'x-kubernetes-action': action }),
    ...(kind !== undefined && {
      'x-kubernetes-group-version-kind': { group: kind.group, kind: kind.kind, version: kind.version },
    }),
  };
}

const parameterV2 = ({ name, in: place, type }: OpenApiParameter): OpenApiSchema => ({
  uniqueItems: true,
  type,
  name,
  in: place,
  ...(place === 'path' && { required: true }),
});
