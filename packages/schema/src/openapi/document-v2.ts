/** Assembles all group versions into one OpenAPI v2 document, which old kubectls read. */

import { referenceTo, type DescriptionOf, type OpenApiSchema } from './definitions.ts';
import { joinedJson, mergedParts, type DocumentFragment, type EncodedDocument } from './document-part.ts';
import { joinedV2Protobuf } from './document-v2-protobuf.ts';
import { statusTexts, type DocumentOptions } from './document-v3.ts';
import type { ParameterTable } from './parameter-table.ts';
import { saidOf, type OpenApiParameter } from './parameters.ts';
import { sharedParameters } from './shared-parameters.ts';
import type { Operation, PathOperations } from './operations.ts';

/** From the results of {@link FragmentMaker}. */
export function openApiV2(
  fragments: readonly DocumentFragment[],
  { version }: Pick<DocumentOptions, 'version'>,
): EncodedDocument {
  const head = { swagger: '2.0', info: { title: 'Kubernetes', version } };
  const tail = {
    securityDefinitions: { BearerToken: { type: 'apiKey', name: 'authorization', in: 'header' } },
    security: [{ BearerToken: [] }],
  };
  const paths = mergedParts(fragments, 'paths');
  const definitions = mergedParts(fragments, 'definitions');
  const parameters = mergedParts(fragments, 'parameters');
  return {
    json: joinedJson(
      `${JSON.stringify(head).slice(0, -1)},"paths":{`,
      paths,
      '},"definitions":{',
      definitions,
      '},"parameters":{',
      parameters,
      `},${JSON.stringify(tail).slice(1)}`,
    ),
    protobuf: () => joinedV2Protobuf({ ...head, ...tail }, { paths, definitions, parameters }),
  };
}

export function pathsV2(
  paths: PathOperations,
  table: ParameterTable,
  descriptionOf?: DescriptionOf,
): OpenApiSchema {
  return Object.fromEntries(
    [...paths].map(([path, operations]) => [path, pathV2(operations, table, descriptionOf)]),
  );
}

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
