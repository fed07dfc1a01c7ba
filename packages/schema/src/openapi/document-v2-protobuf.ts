/**
 * Encodes an OpenAPI v2 document in protobuf, which old kubectls request: the messages of gnostic's openapi.v2,
 * described by a table of their fields. Free-form values and vendor extensions are encoded as JSON text.
 */

import { MessageWriter } from '@coxswain/protobuf/message-writer.ts';
import { inOrder, message, pieceOf } from './protobuf-parts.ts';
import type { DocumentPart } from './document-part.ts';

type Json = unknown;
type JsonObject = Readonly<Record<string, Json>>;

/** `[]` before a type makes it repeated. A type other than a scalar is a message, or one of the forms below. */
type FieldTable = Readonly<Record<string, readonly [number: number, type: string]>>;

const messages: Readonly<Record<string, FieldTable>> = {
  Document: {
    swagger: [1, 'string'],
    info: [2, 'Info'],
    host: [3, 'string'],
    basePath: [4, 'string'],
    schemes: [5, '[]string'],
    consumes: [6, '[]string'],
    produces: [7, '[]string'],
    paths: [8, 'Paths'],
    definitions: [9, 'NamedSchemas'],
    parameters: [10, 'NamedParameters'],
    security: [12, '[]SecurityRequirement'],
    securityDefinitions: [13, 'NamedSecurityDefinitions'],
  },
  Info: { title: [1, 'string'], version: [2, 'string'], description: [3, 'string'] },
  PathItem: {
    get: [2, 'Operation'],
    put: [3, 'Operation'],
    post: [4, 'Operation'],
    delete: [5, 'Operation'],
    options: [6, 'Operation'],
    head: [7, 'Operation'],
    patch: [8, 'Operation'],
    parameters: [9, '[]ParametersItem'],
  },
  Operation: {
    tags: [1, '[]string'],
    summary: [2, 'string'],
    description: [3, 'string'],
    operationId: [5, 'string'],
    produces: [6, '[]string'],
    consumes: [7, '[]string'],
    parameters: [8, '[]ParametersItem'],
    responses: [9, 'Responses'],
    schemes: [10, '[]string'],
    deprecated: [11, 'bool'],
    security: [12, '[]SecurityRequirement'],
  },
  BodyParameter: {
    description: [1, 'string'],
    name: [2, 'string'],
    in: [3, 'string'],
    required: [4, 'bool'],
    schema: [5, 'Schema'],
  },
  QueryParameter: {
    required: [1, 'bool'],
    in: [2, 'string'],
    description: [3, 'string'],
    name: [4, 'string'],
    type: [6, 'string'],
    format: [7, 'string'],
    uniqueItems: [20, 'bool'],
  },
  PlainParameter: {
    required: [1, 'bool'],
    in: [2, 'string'],
    description: [3, 'string'],
    name: [4, 'string'],
    type: [5, 'string'],
    format: [6, 'string'],
    uniqueItems: [19, 'bool'],
  },
  Response: { description: [1, 'string'], schema: [2, 'SchemaItem'] },
  Schema: {
    $ref: [1, 'string'],
    format: [2, 'string'],
    title: [3, 'string'],
    description: [4, 'string'],
    default: [5, 'Any'],
    multipleOf: [6, 'double'],
    maximum: [7, 'double'],
    exclusiveMaximum: [8, 'bool'],
    minimum: [9, 'double'],
    exclusiveMinimum: [10, 'bool'],
    maxLength: [11, 'int64'],
    minLength: [12, 'int64'],
    pattern: [13, 'string'],
    maxItems: [14, 'int64'],
    minItems: [15, 'int64'],
    uniqueItems: [16, 'bool'],
    maxProperties: [17, 'int64'],
    minProperties: [18, 'int64'],
    required: [19, '[]string'],
    enum: [20, '[]Any'],
    additionalProperties: [21, 'AdditionalProperties'],
    type: [22, 'TypeItem'],
    items: [23, 'ItemsItem'],
    allOf: [24, '[]Schema'],
    properties: [25, 'NamedSchemas'],
    readOnly: [27, 'bool'],
    example: [30, 'Any'],
  },
  ApiKeySecurity: { type: [1, 'string'], name: [2, 'string'], in: [3, 'string'], description: [4, 'string'] },
};

/** The fields of vendor extensions. */
const extensionFields: Readonly<Record<string, number>> = {
  Document: 16,
  Info: 7,
  PathItem: 10,
  Operation: 13,
  BodyParameter: 6,
  QueryParameter: 23,
  PlainParameter: 22,
  Response: 5,
  Schema: 31,
  ApiKeySecurity: 5,
};

/** Members of a document that are maps: the number of their field, that of an entry, and the type of an entry. */
const maps = {
  paths: [8, 2, 'PathItem'],
  definitions: [9, 1, 'Schema'],
  parameters: [10, 1, 'Parameter'],
} as const;

/** For a document assembled from cached parts; without an envelope. */
export function joinedV2Protobuf(
  frame: object,
  parts: Readonly<Record<keyof typeof maps, readonly DocumentPart[]>>,
): readonly Uint8Array[] {
  const { swagger, info, ...rest } = frame as JsonObject;
  const members = (['paths', 'definitions', 'parameters'] as const).map((member) => {
    const [number, entryNumber, type] = maps[member];
    const entry = (name: string, value: JsonObject) => entryBytes(entryNumber, name, value, type);
    const entries = parts[member].map((part) => pieceOf(part.protobuf(entry)));
    return [number, inOrder(entries)] as const;
  });
  return [openApiV2Protobuf({ swagger, info }), ...message(...members).chunks, openApiV2Protobuf(rest)];
}

function entryBytes(number: number, name: string, value: JsonObject, type: string): Uint8Array {
  const writer = new MessageWriter();
  writeMap(writer, number, { [name]: value }, type);
  return writer.finish();
}

/** The bytes of a whole document, without an envelope. */
export function openApiV2Protobuf(document: object): Uint8Array {
  const writer = new MessageWriter();
  writeMessage(writer, 'Document', document as JsonObject);
  return writer.finish();
}

/** The writer works backwards, so fields are written in descending order. */
function writeMessage(writer: MessageWriter, type: string, value: JsonObject): void {
  writeExtensions(writer, extensionFields[type], value);
  const fields = Object.entries(messages[type] ?? {}).sort(([, a], [, b]) => b[0] - a[0]);
  for (const [name, [number, fieldType]] of fields) {
    if (value[name] !== undefined) writeField(writer, number, fieldType, value[name]);
  }
}

function writeExtensions(writer: MessageWriter, number: number | undefined, value: JsonObject): void {
  if (number === undefined) return;
  for (const [name, extension] of Object.entries(value).toReversed()) {
    if (name.startsWith('x-'))
      writeNamed(writer, number, name, () => writeField(writer, 2, 'Any', extension));
  }
}

/** An entry of a map: `{1: name, 2: value}`. */
function writeNamed(writer: MessageWriter, number: number, name: string, writeValue: () => void): void {
  writeNested(writer, number, () => {
    writeValue();
    writeField(writer, 1, 'string', name);
  });
}

function writeNested(writer: MessageWriter, number: number, writeBody: () => void): void {
  const before = writer.length;
  writeBody();
  writer.varint(writer.length - before);
  writer.tag(number, 2);
}

function writeField(writer: MessageWriter, number: number, type: string, value: Json): void {
  if (type.startsWith('[]')) {
    for (const item of (value as readonly Json[]).toReversed())
      writeField(writer, number, type.slice(2), item);
    return;
  }
  switch (type) {
    case 'string':
      writer.text(String(value));
      writer.tag(number, 2);
      return;
    case 'bool':
      writer.varint(value === true ? 1 : 0);
      writer.tag(number, 0);
      return;
    case 'int64':
      writer.int64(Number(value));
      writer.tag(number, 0);
      return;
    case 'double':
      writer.double(Number(value));
      writer.tag(number, 1);
      return;
    default:
      writeNested(writer, number, () => writeForm(writer, type, value as JsonObject));
  }
}

/** Messages that need special treatment. */
function writeForm(writer: MessageWriter, type: string, value: JsonObject): void {
  switch (type) {
    case 'Any':
      return writeField(writer, 2, 'string', JSON.stringify(value));
    case 'Paths':
      return writeMap(writer, 2, withoutExtensions(value), 'PathItem');
    case 'NamedSchemas':
      return writeMap(writer, 1, value, 'Schema');
    case 'NamedParameters':
      return writeMap(writer, 1, value, 'Parameter');
    case 'NamedSecurityDefinitions':
      return writeMap(writer, 1, value, 'SecurityDefinition');
    case 'SecurityDefinition':
      return writeField(writer, 2, 'ApiKeySecurity', value);
    case 'SecurityRequirement':
      return writeMap(writer, 1, value, 'StringArray');
    case 'StringArray':
      return writeField(writer, 1, '[]string', value);
    case 'Responses':
      return writeMap(writer, 1, withoutExtensions(value), 'ResponseValue');
    case 'ResponseValue':
      return writeField(writer, 1, 'Response', value);
    case 'SchemaItem':
      return writeField(writer, 1, 'Schema', value);
    case 'AdditionalProperties':
      return typeof value === 'boolean'
        ? writeField(writer, 2, 'bool', value)
        : writeField(writer, 1, 'Schema', value);
    case 'TypeItem':
      return writeField(writer, 1, '[]string', [value].flat());
    case 'ItemsItem':
      return writeField(writer, 1, '[]Schema', [value].flat());
    case 'ParametersItem':
      return typeof value['$ref'] === 'string'
        ? writeNested(writer, 2, () => writeField(writer, 1, 'string', value['$ref']))
        : writeField(writer, 1, 'Parameter', value);
    case 'Parameter':
      return writeParameter(writer, value);
    default:
      return writeMessage(writer, type, value);
  }
}

function writeMap(writer: MessageWriter, number: number, value: JsonObject, type: string): void {
  for (const [name, item] of Object.entries(value).toReversed()) {
    writeNamed(writer, number, name, () => writeField(writer, 2, type, item));
  }
}

/** For paths and responses. In maps of members and definitions a name may look like an extension. */
const withoutExtensions = (value: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(value).filter(([name]) => !name.startsWith('x-')));

/** A body parameter, or one of the four others: header, form data, query, path. */
function writeParameter(writer: MessageWriter, value: JsonObject): void {
  if (value['in'] === 'body') return writeField(writer, 1, 'BodyParameter', value);
  writeNested(writer, 2, () => {
    const place = String(value['in']);
    const number = { header: 1, formData: 2, query: 3, path: 4 }[place] ?? 3;
    writeField(
      writer,
      number,
      place === 'query' || place === 'formData' ? 'QueryParameter' : 'PlainParameter',
      value,
    );
  });
}
