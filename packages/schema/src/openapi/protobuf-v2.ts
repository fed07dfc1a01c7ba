/** An OpenAPI v2 document as `openapi.v2.Document`, which kubectl before 1.27 asks for. */

import { anyOf, extensionsOf, joined, membersOf, message, named, repeated } from './protobuf-parts.ts';
import type { OpenApiSchema } from './definitions.ts';
import type { Piece } from './protobuf-parts.ts';

type Json = Readonly<Record<string, unknown>>;

/** Of a document made by `openApiV2`. */
export function encodeOpenApiV2(document: OpenApiSchema): Uint8Array {
  const info = document['info'] as Json;
  return joined(
    message(
      [1, document['swagger'] as string],
      [2, message([1, info['title'] as string], [2, info['version'] as string])],
      [
        8,
        message(
          ...repeated(
            2,
            membersOf<Json>(document['paths']).map(([path, item]) => named(path, pathItem(item))),
          ),
        ),
      ],
      [9, namedSchemas(document['definitions'])],
      [
        10,
        message(
          ...repeated(
            1,
            membersOf<Json>(document['parameters']).map(([name, item]) => named(name, parameter(item))),
          ),
        ),
      ],
      ...repeated(12, ((document['security'] ?? []) as Json[]).map(securityRequirement)),
      [
        13,
        message(
          ...repeated(
            1,
            membersOf<Json>(document['securityDefinitions']).map(([name, item]) => named(name, apiKey(item))),
          ),
        ),
      ],
    ),
  );
}

const methods = { get: 2, put: 3, post: 4, delete: 5, options: 6, head: 7, patch: 8 } as const;

const pathItem = (item: Json): Piece =>
  message(
    ...Object.entries(methods)
      .filter(([method]) => item[method] !== undefined)
      .map(([method, number]) => [number, operation(item[method] as Json)] as const),
    ...repeated(9, (item['parameters'] as Json[] | undefined)?.map(parameterItem)),
  );

const operation = (item: Json): Piece =>
  message(
    ...repeated(1, item['tags'] as string[]),
    [3, item['description'] as string | undefined],
    [5, item['operationId'] as string],
    ...repeated(6, item['produces'] as string[]),
    ...repeated(7, item['consumes'] as string[]),
    ...repeated(8, (item['parameters'] as Json[] | undefined)?.map(parameterItem)),
    [
      9,
      message(
        ...repeated(
          1,
          membersOf<Json>(item['responses']).map(([code, answer]) => named(code, response(answer))),
        ),
      ),
    ],
    ...repeated(10, item['schemes'] as string[]),
    ...extensionsOf(13, item),
  );

const response = ({ description, schema }: Json): Piece =>
  message([
    1,
    message(
      [1, description as string],
      [2, schema === undefined ? undefined : message([1, schemaMessage(schema as Json)])],
    ),
  ]);

const parameterItem = (item: Json): Piece =>
  item['$ref'] === undefined
    ? message([1, parameter(item)])
    : message([2, message([1, item['$ref'] as string])]);

function parameter(item: Json): Piece {
  const { name, description, required, schema, type } = item as Record<string, string>;
  const isRequired = (required as unknown) === true;
  const isUnique = item['uniqueItems'] === true;
  switch (item['in']) {
    case 'body':
      return message([
        1,
        message(
          [1, description],
          [2, name],
          [3, 'body'],
          [4, isRequired],
          [5, schemaMessage(schema as unknown as Json)],
        ),
      ]);
    case 'path':
      return message([
        2,
        message([
          4,
          message([1, isRequired], [2, 'path'], [3, description], [4, name], [5, type], [19, isUnique]),
        ]),
      ]);
    default:
      return message([
        2,
        message([
          3,
          message([1, isRequired], [2, 'query'], [3, description], [4, name], [6, type], [20, isUnique]),
        ]),
      ]);
  }
}

const namedSchemas = (schemas: unknown): Piece =>
  message(
    ...repeated(
      1,
      membersOf<Json>(schemas).map(([name, schema]) => named(name, schemaMessage(schema))),
    ),
  );

const schemaMessage = (schema: Json): Piece =>
  message(
    [1, schema['$ref'] as string | undefined],
    [2, schema['format'] as string | undefined],
    [4, schema['description'] as string | undefined],
    [5, schema['default'] === undefined ? undefined : anyOf(schema['default'])],
    ...repeated(19, schema['required'] as string[] | undefined),
    ...repeated(20, (schema['enum'] as unknown[] | undefined)?.map(anyOf)),
    [
      21,
      schema['additionalProperties'] === undefined ? undefined : additional(schema['additionalProperties']),
    ],
    [22, schema['type'] === undefined ? undefined : message([1, schema['type'] as string])],
    [23, schema['items'] === undefined ? undefined : message([1, schemaMessage(schema['items'] as Json)])],
    ...repeated(24, (schema['allOf'] as Json[] | undefined)?.map(schemaMessage)),
    [25, schema['properties'] === undefined ? undefined : namedSchemas(schema['properties'])],
    ...extensionsOf(31, schema),
  );

const additional = (value: unknown): Piece =>
  typeof value === 'boolean' ? message([2, value]) : message([1, schemaMessage(value as Json)]);

const apiKey = ({ type, name, in: place }: Json): Piece =>
  message([2, message([1, type as string], [2, name as string], [3, place as string])]);

const securityRequirement = (requirement: Json): Piece =>
  message(
    ...repeated(
      1,
      membersOf<string[]>(requirement).map(([name, scopes]) => named(name, message(...repeated(1, scopes)))),
    ),
  );
