/** Encodes an OpenAPI v3 document as `openapi.v3.Document`, which kubectl requests since 1.27. */

import {
  anyOf,
  extensionsOf,
  inOrder,
  joined,
  membersOf,
  message,
  named,
  pieceOf,
  repeated,
  type Piece,
} from './protobuf-parts.ts';
import type { DocumentPart } from './document-part.ts';

type Json = Readonly<Record<string, unknown>>;

/** For a document made by `openApiV3`. */
export function openApiV3Protobuf(document: object): Uint8Array {
  const { paths, components = {}, ...frame } = document as Record<string, Json>;
  const pathItems = membersOf<Json>(paths).map(([path, item]) => namedPathItem(path, item));
  const schemas = membersOf<Json>(components['schemas']).map(([name, schema]) => namedSchema(name, schema));
  const schemes = membersOf<Json>(components['securitySchemes']).map(([name, item]) =>
    message([1, named(name, securityScheme(item))]),
  );
  return joined(documentMessage(frame as unknown as Frame, { pathItems, schemas, schemes }));
}

/** For a document assembled from cached parts. */
export function joinedV3Protobuf(
  frame: Frame,
  paths: readonly DocumentPart[],
  schemas: readonly DocumentPart[],
): readonly Uint8Array[] {
  const encoded = (parts: readonly DocumentPart[], encode: (name: string, value: Json) => Piece) =>
    parts.map((part) => pieceOf(part.protobuf((name, value) => joined(encode(name, value)))));
  const members = {
    pathItems: encoded(paths, namedPathItem),
    schemas: encoded(schemas, namedSchema),
    schemes: [],
  };
  return documentMessage(frame, members).chunks;
}

/** The document's header. */
interface Frame {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string };
}

/** Each is a complete field, so that they can be concatenated. */
interface Members {
  readonly pathItems: readonly Piece[];
  readonly schemas: readonly Piece[];
  readonly schemes: readonly Piece[];
}

const documentMessage = ({ openapi, info }: Frame, { pathItems, schemas, schemes }: Members): Piece =>
  message(
    [1, openapi],
    [2, message([1, info.title], [6, info.version])],
    [4, inOrder(pathItems)],
    [5, message([1, inOrder(schemas)], [7, inOrder(schemes)])],
  );

const namedPathItem = (path: string, item: Json): Piece => message([1, named(path, pathItem(item))]);

const namedSchema = (name: string, schema: Json): Piece =>
  message([1, named(name, schemaOrReference(schema))]);

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
  inOrder(membersOf<Json>(schemas).map(([name, schema]) => namedSchema(name, schema)));

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

/** The message cannot represent objects, and zeros are dispensable. */
function defaultMessage(value: unknown): Piece | undefined {
  if (typeof value === 'string' && value !== '') return message([3, value]);
  return value === true ? message([2, value]) : undefined;
}

const securityScheme = ({ type, name, in: place }: Json): Piece =>
  message([1, message([1, type as string], [3, name as string], [4, place as string])]);
