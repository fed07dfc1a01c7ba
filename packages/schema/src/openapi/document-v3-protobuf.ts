/** An OpenAPI v3 document as `openapi.v3.Document`, which kubectl from 1.27 on asks for. */

import { anyOf, extensionsOf, joined, membersOf, message, named, repeated } from './protobuf-parts.ts';
import type { Piece } from './protobuf-parts.ts';

type Json = Readonly<Record<string, unknown>>;

/** Of a document made by `openApiV3`. */
export function openApiV3Protobuf(document: object): Uint8Array {
  const { openapi, info, paths, components = {} } = document as Record<string, Json>;
  return joined(
    message(
      [1, openapi as unknown as string],
      [2, message([1, info!['title'] as string], [6, info!['version'] as string])],
      [
        4,
        message(
          ...repeated(
            1,
            membersOf<Json>(paths).map(([path, item]) => named(path, pathItem(item))),
          ),
        ),
      ],
      [
        5,
        message(
          [1, namedSchemas(components['schemas'])],
          [
            7,
            message(
              ...repeated(
                1,
                membersOf<Json>(components['securitySchemes']).map(([name, item]) =>
                  named(name, securityScheme(item)),
                ),
              ),
            ),
          ],
        ),
      ],
    ),
  );
}

const methods = { get: 4, put: 5, post: 6, delete: 7, options: 8, head: 9, patch: 10 } as const;

const pathItem = (item: Json): Piece =>
  message(
    ...Object.entries(methods)
      .filter(([method]) => item[method] !== undefined)
      .map(([method, number]) => [number, operation(item[method] as Json)] as const),
    ...repeated(13, (item['parameters'] as Json[] | undefined)?.map(parameter)),
  );

const operation = (item: Json): Piece =>
  message(
    ...repeated(1, item['tags'] as string[]),
    [3, item['description'] as string | undefined],
    [5, item['operationId'] as string],
    ...repeated(6, (item['parameters'] as Json[] | undefined)?.map(parameter)),
    [7, item['requestBody'] === undefined ? undefined : requestBody(item['requestBody'] as Json)],
    [
      8,
      message(
        ...repeated(
          2,
          membersOf<Json>(item['responses']).map(([code, answer]) => named(code, response(answer))),
        ),
      ),
    ],
    ...extensionsOf(13, item),
  );

const parameter = ({ name, in: place, description, required, schema }: Json): Piece =>
  message([
    1,
    message(
      [1, name as string],
      [2, place as string],
      [3, description as string | undefined],
      [4, required === true],
      [10, schemaOrReference(schema as Json)],
    ),
  ]);

const requestBody = ({ content, required }: Json): Piece =>
  message([1, message([2, mediaTypes(content)], [3, required === true])]);

const response = ({ description, content }: Json): Piece =>
  message([
    1,
    message([1, description as string], [3, content === undefined ? undefined : mediaTypes(content)]),
  ]);

const mediaTypes = (content: unknown): Piece =>
  message(
    ...repeated(
      1,
      membersOf<Json>(content).map(([type, { schema }]) =>
        named(type, message([1, schemaOrReference(schema as Json)])),
      ),
    ),
  );

const namedSchemas = (schemas: unknown): Piece =>
  message(
    ...repeated(
      1,
      membersOf<Json>(schemas).map(([name, schema]) => named(name, schemaOrReference(schema))),
    ),
  );

const schemaOrReference = (schema: Json): Piece =>
  schema['$ref'] === undefined
    ? message([1, schemaMessage(schema)])
    : message([2, message([1, schema['$ref'] as string])]);

const schemaMessage = (schema: Json): Piece =>
  message(
    [1, schema['nullable'] === true],
    [20, schema['uniqueItems'] === true],
    ...repeated(23, schema['required'] as string[] | undefined),
    ...repeated(24, (schema['enum'] as unknown[] | undefined)?.map(anyOf)),
    [25, schema['type'] as string | undefined],
    ...repeated(26, (schema['allOf'] as Json[] | undefined)?.map(schemaOrReference)),
    ...repeated(27, (schema['oneOf'] as Json[] | undefined)?.map(schemaOrReference)),
    ...repeated(28, (schema['anyOf'] as Json[] | undefined)?.map(schemaOrReference)),
    [
      30,
      schema['items'] === undefined ? undefined : message([1, schemaOrReference(schema['items'] as Json)]),
    ],
    [31, schema['properties'] === undefined ? undefined : namedSchemas(schema['properties'])],
    [
      32,
      schema['additionalProperties'] === undefined ? undefined : additional(schema['additionalProperties']),
    ],
    [33, defaultMessage(schema['default'])],
    [34, schema['description'] as string | undefined],
    [35, schema['format'] as string | undefined],
    ...extensionsOf(36, schema),
  );

const additional = (value: unknown): Piece =>
  typeof value === 'boolean' ? message([2, value]) : message([1, schemaOrReference(value as Json)]);

/** The message has no room for objects, and nobody misses zeros. */
function defaultMessage(value: unknown): Piece | undefined {
  if (typeof value === 'string' && value !== '') return message([3, value]);
  return value === true ? message([2, value]) : undefined;
}

const securityScheme = ({ type, name, in: place }: Json): Piece =>
  message([1, message([1, type as string], [3, name as string], [4, place as string])]);
