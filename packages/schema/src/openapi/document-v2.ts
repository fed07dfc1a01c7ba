/** All group versions as one OpenAPI v2 document, which old kubectls read. */

import { customOperationsOf } from './custom-operations.ts';
import { referenceTo } from './definitions.ts';
import { describedDefinitions } from './described-definitions.ts';
import { statusTexts } from './document-v3.ts';
import { operationsOf } from './operations.ts';
import { ParameterTable } from './parameter-table.ts';
import { saidOf } from './parameters.ts';
import { sharedParameters } from './shared-parameters.ts';
import type { DescriptionOf, OpenApiSchema } from './definitions.ts';
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
    for (const [path, atPath] of operations) paths[path] = pathV2(atPath, table, options.descriptionOf);
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

function pathV2(
  operations: readonly Operation[],
  table: ParameterTable,
  descriptionOf: DescriptionOf | undefined,
): OpenApiSchema {
  const parameterOf = (parameter: OpenApiParameter): OpenApiSchema =>
    table.refer(parameterV2(parameter, descriptionOf));
  const { shared, own } = sharedParameters(operations);
  return {
    ...Object.fromEntries(
      operations.map((operation, index) => [
        operation.method,
        operationV2(operation, own[index]!.map(parameterOf), table),
      ]),
    ),
    ...(shared.length > 0 && { parameters: shared.map(parameterOf) }),
  };
}

function operationV2(
  operation: Operation,
  own: readonly OpenApiSchema[],
  table: ParameterTable,
): OpenApiSchema {
  const {
    tag,
    id,
    description,
    body,
    responses,
    produces,
    consumes = body?.types ?? ['*/*'],
    action,
    kind,
  } = operation;
  const parameters = [
    ...(body === undefined
      ? []
      : [
          table.refer({
            name: 'body',
            in: 'body',
            ...(body.isRequired && { required: true }),
            schema: referenceTo(body.definition, 'v2'),
          }),
        ]),
    ...own,
  ];
  return {
    ...(consumes.length > 0 && { consumes }),
    produces,
    schemes: ['https'],
    tags: [tag],
    description,
    operationId: id,
    ...(parameters.length > 0 && { parameters }),
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

const parameterV2 = (
  parameter: OpenApiParameter,
  descriptionOf: DescriptionOf | undefined,
): OpenApiSchema => ({
  uniqueItems: true,
  type: parameter.type,
  ...saidOf(parameter, descriptionOf),
  name: parameter.name,
  in: parameter.in,
  ...(parameter.in === 'path' && { required: true }),
});
