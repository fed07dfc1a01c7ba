/** All group versions as one OpenAPI v2 document, which old kubectls read. */

import { definitionsOf, referenceTo } from './definitions.ts';
import { statusTexts } from './document-v3.ts';
import { operationsOf } from './operations.ts';
import { ParameterTable } from './parameter-table.ts';
import { referencedTypes } from './referenced-types.ts';
import { sharedParameters } from './shared-parameters.ts';
import type { OpenApiSchema } from './definitions.ts';
import type { DocumentOptions } from './document-v3.ts';
import type { OpenApiGroupVersion, Operation } from './operations.ts';
import type { OpenApiParameter } from './parameters.ts';
import type { StructType } from '../type.ts';

export function openApiV2(
  groupVersions: readonly OpenApiGroupVersion[],
  options: DocumentOptions,
): OpenApiSchema {
  const paths: Record<string, OpenApiSchema> = {};
  const roots: StructType[] = [];
  const table = new ParameterTable();
  for (const groupVersion of groupVersions) {
    const operations = operationsOf(groupVersion);
    for (const [path, atPath] of operations) paths[path] = pathV2(atPath, table);
    roots.push(...referencedTypes(groupVersion, operations, options.metaTypes));
  }
  return {
    swagger: '2.0',
    info: { title: 'Kubernetes', version: options.version },
    paths: Object.fromEntries(Object.entries(paths).sort(([a], [b]) => (a < b ? -1 : 1))),
    definitions: definitionsOf(roots, { ...options, dialect: 'v2' }),
    parameters: table.sorted(),
    securityDefinitions: { BearerToken: { type: 'apiKey', name: 'authorization', in: 'header' } },
    security: [{ BearerToken: [] }],
  };
}

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
  const { tag, id, body, responses, produces, action, kind } = operation;
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
    consumes: body?.types ?? ['*/*'],
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
