/**
 * Turns what a store returned into the response that the client accepts. Where the stored form is the requested form,
 * stored bytes are sent unchanged: an object's bytes, or a list as head, items and tail.
 */
import {
  here,
  runStepInTurn,
  type KubeObject,
  type Status,
  type StepDetail,
  type Work,
} from '@coxswain/apimachinery';
import { mapInSlices } from '@coxswain/apimachinery/slices.ts';
import { encode } from '@coxswain/schema';
import type { AuditContext } from './audit/audit-context.ts';
import type { ApiRequest } from './http/api-request.ts';
import { utf8, type ApiResponse, type ResponseBody } from './http/api-response.ts';
import { wholeOf } from './http/in-process.ts';
import { blockBytes, blocksOf, blocksOfList } from './http/blocks.ts';
import { bytesOfParts, chunksOf, type ListParts } from './http/compression.ts';
import type { CompressedFor } from './http/compression-turns.ts';
import {
  jsonBytes,
  jsonListParts,
  listKindOf,
  listMeta,
  protobufBytes,
  protobufListParts,
  versioned,
} from './list-parts.ts';
import { statusKind } from './negotiation/error-response.ts';
import { encodeObject, textForm } from './negotiation/encode-object.ts';
import type { Negotiated } from './negotiation/negotiate.ts';
import type { ResourceScope } from './services/resource-scope.ts';
import type { Served, ServedList } from './rest/served.ts';
import { checkTransform } from './table/check-transform.ts';
import { partialBytes, partialListParts, partialObject, partialObjectList } from './table/partial-object.ts';
import { tableParts } from './table/table-json.ts';
import { tableRow } from './table/table-row.ts';
import { tableOf } from './table/table.ts';
import { tableOptionsOf } from './table/table-options.ts';

type Response = ApiResponse | Promise<ApiResponse>;

/** Responses larger than this are compressed if the client accepts it. */
const gzipBytesMin = 128 * 1024;

const lineBreak = utf8('\n');

/** Responds with one object. */
export function respondObject(
  request: ApiRequest,
  scope: ResourceScope,
  negotiated: Negotiated,
  status: number,
  served: Served,
): Response {
  const { observer } = request;
  request.answered = served;
  if (observer === undefined) return objectResponse(request, scope, negotiated, status, served);
  const respond = () => objectResponse(request, scope, negotiated, status, served);
  return runStepInTurn(
    observer,
    here`respond`,
    respond,
    recordedForm(negotiated),
    workFor(negotiated, objectResponse),
  );
}

/** For observers: the form that the client requested. */
const recordedForm = ({ type, transform }: Negotiated): StepDetail => ({ as: transform?.kind ?? type.media });

const workFor = ({ transform }: Negotiated, otherwise: Work): Work =>
  transform === undefined ? otherwise : respondTransformed;

function objectResponse(
  request: ApiRequest,
  scope: ResourceScope,
  negotiated: Negotiated,
  status: number,
  served: Served,
): Response {
  if (negotiated.transform !== undefined)
    return respondTransformed(request, scope, negotiated, status, served);
  request.audit?.noteResponse(() => jsonText(scope, served));
  if (request.incoming.structured) return structured(request, status, versioned(scope, served.object));
  const { media } = negotiated.type;
  if (media === 'json' && scope.identity && served.served !== undefined && !negotiated.pretty) {
    return respondChunks(request, scope, negotiated, status, [served.served, lineBreak]);
  }
  const bytes =
    media === 'protobuf'
      ? encodeObject(negotiated, scope.kind, scope.kind.type, versioned(scope, served.object))
      : textForm(media, negotiated.pretty, jsonText(scope, served));
  return respondChunks(request, scope, negotiated, status, [bytes]);
}

/** Responds with a list, whose items all come from one revision. */
export function respondList(
  request: ApiRequest,
  scope: ResourceScope,
  negotiated: Negotiated,
  list: ServedList,
): Response {
  const { observer } = request;
  if (observer === undefined) return listResponse(request, scope, negotiated, list);
  const respond = () => listResponse(request, scope, negotiated, list);
  return runStepInTurn(
    observer,
    here`respond`,
    respond,
    recordedForm(negotiated),
    workFor(negotiated, listResponse),
  );
}

function listResponse(
  request: ApiRequest,
  scope: ResourceScope,
  negotiated: Negotiated,
  list: ServedList,
): Response {
  if (negotiated.transform !== undefined) return respondTransformed(request, scope, negotiated, 200, list);
  const { audit } = request;
  audit?.noteResponse(() => textOf(chunksOf(jsonListParts(scope, list, jsonItems(scope, list), ''))));
  if (request.incoming.structured) return structured(request, 200, listObject(scope, list));
  const { media } = negotiated.type;
  if (media === 'protobuf') {
    return afterItems(request, scope, list.items, protobufBytes, (items, bytes) =>
      respondParts(request, scope, negotiated, 200, protobufListParts(scope, list, items), bytes),
    );
  }
  const isPlain = media === 'json' && !negotiated.pretty;
  return afterItems(request, scope, list.items, jsonBytes, (items, bytes) => {
    const parts = jsonListParts(scope, list, items, isPlain ? '\n' : '');
    return isPlain
      ? respondParts(request, scope, negotiated, 200, parts, bytes)
      : respondReformed(request, scope, negotiated, 200, parts, bytes, !scope.identity);
  });
}

const jsonItems = (scope: ResourceScope, list: ServedList): Uint8Array[] =>
  list.items.map((item) => jsonBytes(scope, item));

/**
 * Makes and counts the bytes of each item before `then`. Very many are processed in slices, so that nobody else is
 * blocked.
 */
function afterItems(
  { owner }: ApiRequest,
  scope: ResourceScope,
  items: readonly Served[],
  make: (scope: ResourceScope, served: Served) => Uint8Array,
  respond: (items: readonly Uint8Array[], itemsBytes: number) => Response,
): Response {
  let bytesTotal = 0;
  const makeCounted = (served: Served): Uint8Array => {
    const bytes = make(scope, served);
    bytesTotal += bytes.length;
    return bytes;
  };
  const made = mapInSlices(items, makeCounted, scope.services.clock, owner);
  return made instanceof Promise
    ? made.then((later) => respond(later, bytesTotal))
    : respond(made, bytesTotal);
}

/**
 * Responds with JSON in another form; large ones are formatted by another thread, if there is one.
 * @param isMade whether the items were made for this request, rather than being those of the store
 */
function respondReformed(
  request: ApiRequest,
  scope: ResourceScope,
  negotiated: Negotiated,
  status: number,
  parts: ListParts,
  itemsBytes: number,
  isMade = true,
): Response {
  const { pretty } = negotiated;
  const media = negotiated.type.media as 'json' | 'yaml';
  const { reformElsewhere } = scope.services;
  const bytesTotal = bytesOfParts(parts, itemsBytes);
  if (reformElsewhere !== undefined && bytesTotal > reformedHereBytesMax) {
    const json = (): Uint8Array => wholeOf(chunksOf(parts));
    const held = isMade ? bytesTotal : parts.items.length * referenceBytes;
    return reformElsewhere(request, { held, total: bytesTotal }, json, media, pretty).then((bytes) =>
      respondChunks(request, scope, negotiated, status, [bytes]),
    );
  }
  const form = textForm(media, pretty, textOf(chunksOf(parts)));
  return respondChunks(request, scope, negotiated, status, [form]);
}

/** Takes some milliseconds. */
const reformedHereBytesMax = 32 * 1024;
/** An item of a list that refers to the store. */
const referenceBytes = 128;

/** Responds with a plain object of a known kind, such as a Status or a review. */
export function respondPlain(
  request: ApiRequest,
  scope: ResourceScope,
  negotiated: Negotiated,
  status: number,
  kind: ResourceScope['kind'],
  object: KubeObject,
): Response {
  if (request.audit !== undefined) notePlain(request.audit, kind, object);
  if (request.incoming.structured) return structured(request, status, object);
  const chunk = encodeObject(negotiated, kind, kind.type, object);
  return respondChunks(request, scope, negotiated, status, [chunk]);
}

function notePlain(audit: AuditContext, kind: ResourceScope['kind'], object: KubeObject): void {
  const json = () => encode(kind.type, object);
  if (kind === statusKind) audit.noteStatus(object as unknown as Status, json);
  else audit.noteResponse(json);
}

const structured = (request: ApiRequest, status: number, object: unknown): ApiResponse => ({
  status,
  headers: request.responseHeaders,
  body: { kind: 'object', object },
});

const decoder = new TextDecoder();

/** The object's JSON in the endpoint's version. */
const jsonText = (scope: ResourceScope, served: Served): string =>
  scope.identity && served.served !== undefined
    ? decoder.decode(served.served)
    : encode(scope.kind.type, versioned(scope, served.object));

function listObject(scope: ResourceScope, list: ServedList): KubeObject {
  return {
    kind: listKindOf(scope),
    apiVersion: scope.kind.apiVersion,
    metadata: listMeta(list),
    items: list.items.map((item) => versioned(scope, item.object)),
  } as unknown as KubeObject;
}

function textOf(chunks: readonly Uint8Array[]): string {
  const streaming = new TextDecoder();
  let text = '';
  for (const chunk of chunks) text += streaming.decode(chunk, { stream: true });
  return text + streaming.decode();
}

function respondTransformed(
  request: ApiRequest,
  scope: ResourceScope,
  negotiated: Negotiated,
  status: number,
  served: Served | ServedList,
): Response {
  const transform = negotiated.transform!;
  const list = 'items' in served ? served : undefined;
  checkTransform(transform, scope, list !== undefined);
  const items = list?.items ?? [served as Served];
  const { media } = negotiated.type;
  if (transform.kind === 'Table' && media !== 'protobuf' && !request.incoming.structured) {
    const isPlain = media === 'json' && !negotiated.pretty;
    const table = { scope, options: tableOptionsOf(request), version: transform.version };
    const nowMs = scope.services.clock.now();
    const row = (_scope: ResourceScope, item: Served) => tableRow(table, item, nowMs);
    const ordered = inRowOrder(scope, items);
    return afterItems(request, scope, ordered, row, (rows, bytes) => {
      const parts = tableParts(table, ordered, rows, list && listMeta(list), isPlain ? '\n' : '');
      request.audit?.noteResponse(() => textOf(chunksOf(parts)));
      return isPlain
        ? respondParts(request, scope, negotiated, status, parts, bytes)
        : respondReformed(request, scope, negotiated, status, parts, bytes);
    });
  }
  if (transform.kind === 'Table') {
    const objects = inRowOrder(scope, items).map((item) => versioned(scope, item.object));
    const table = tableOf(scope, objects, tableOptionsOf(request), transform.version, list && listMeta(list));
    return respondPlain(request, scope, negotiated, status, table.kind, table.object);
  }
  // The metadata are those of the stored version, as in rows of tables.
  if (list !== undefined && !request.incoming.structured) {
    return respondPartialList(request, scope, negotiated, list);
  }
  const stored = items.map(({ object }) => object);
  const partial =
    list === undefined
      ? partialObject(transform, stored[0]!, scope.kind)
      : partialObjectList(transform, stored, listMeta(list), scope.kind);
  return respondPlain(request, scope, negotiated, status, partial.kind, partial.object);
}

function inRowOrder({ table: { rowOrder } }: ResourceScope, items: readonly Served[]): readonly Served[] {
  if (rowOrder === undefined) return items;
  return items.toSorted((one, other) => rowOrder(one.object as never, other.object as never));
}

function respondPartialList(
  request: ApiRequest,
  scope: ResourceScope,
  negotiated: Negotiated,
  list: ServedList,
): Response {
  const transform = negotiated.transform!;
  const { media } = negotiated.type;
  const isPlain = media !== 'yaml' && !negotiated.pretty;
  const make = (_scope: ResourceScope, item: Served) => partialBytes(media, transform, item, scope.kind);
  return afterItems(request, scope, list.items, make, (items, bytes) => {
    const parts = partialListParts(media, transform, items, listMeta(list), isPlain ? '\n' : '');
    request.audit?.noteResponse(() => {
      const objects = list.items.map(({ object }) => object);
      const { kind, object } = partialObjectList(transform, objects, listMeta(list), scope.kind);
      return encode(kind.type, object);
    });
    return isPlain || media === 'protobuf'
      ? respondParts(request, scope, negotiated, 200, parts, bytes)
      : respondReformed(request, scope, negotiated, 200, parts, bytes);
  });
}

/** Responds with head, items and tail; compressed blocks of unchanged items are reused. */
function respondParts(
  request: ApiRequest,
  scope: ResourceScope,
  negotiated: Negotiated,
  status: number,
  parts: ListParts,
  itemsBytes: number,
): Response {
  const bytesTotal = bytesOfParts(parts, itemsBytes);
  if (isToBeCompressed(request, scope, bytesTotal)) {
    const made = scope.services.gzip!.list(parts, selectionOf(request), compressedFor(request, scope));
    return respondCompressed(request, negotiated, status, made);
  }
  const headers = request.responseHeaders;
  headers['content-type'] = negotiated.type.contentType;
  return { status, headers, body: blocksBody(blocksOfList(parts), bytesTotal) };
}

const compressedFor = (
  { owner }: ApiRequest,
  { services }: Pick<ResourceScope, 'services'>,
): CompressedFor => ({ clock: services.clock, owner });

/** Identifies the selection: items selected by it have other neighbors than in the whole collection. */
function selectionOf(request: ApiRequest): string {
  if (!request.incoming.query.includes('Selector=')) return '';
  const { parameters } = request;
  const texts = ['labelSelector', 'fieldSelector'].map((name) => parameters.get(name) ?? '');
  return [request.incoming.path, ...texts].join('\n');
}

/**
 * Responds with bytes of the negotiated type; large ones are compressed if the client accepts it.
 * @param compressed for a caller that caches the compressed form
 */
export function respondChunks(
  request: ApiRequest,
  scope: Pick<ResourceScope, 'services'>,
  negotiated: Pick<Negotiated, 'type'>,
  status: number,
  chunks: readonly Uint8Array[],
  compressed?: () => Promise<readonly Uint8Array[]>,
): Response {
  const body = bodyOf(chunks);
  if (isToBeCompressed(request, scope, body.kind === 'bytes' ? body.bytes.length : body.bytesTotal)) {
    const made =
      compressed?.() ??
      scope.services.gzip!.whole(chunks, compressedFor(request, scope)).then((bytes) => [bytes]);
    return respondCompressed(request, negotiated, status, made);
  }
  const headers = request.responseHeaders;
  headers['content-type'] = negotiated.type.contentType;
  return { status, headers, body };
}

function respondCompressed(
  { responseHeaders: headers }: ApiRequest,
  negotiated: Pick<Negotiated, 'type'>,
  status: number,
  compressed: Promise<readonly Uint8Array[]>,
): Promise<ApiResponse> {
  headers['content-type'] = negotiated.type.contentType;
  headers['content-encoding'] = 'gzip';
  headers['vary'] = 'Accept-Encoding';
  return compressed.then((chunks) => ({ status, headers, body: bodyOf(chunks) }));
}

function bodyOf(chunks: readonly Uint8Array[]): BytesBody {
  if (chunks.length === 1) return { kind: 'bytes', bytes: chunks[0]! };
  let bytesTotal = 0;
  for (const chunk of chunks) bytesTotal += chunk.length;
  return blocksBody(blocksOf(chunks), bytesTotal);
}

type BytesBody = Extract<ResponseBody, { kind: 'bytes' | 'chunks' }>;

const blocksBody = (blocks: Iterator<Uint8Array> & Iterable<Uint8Array>, bytesTotal: number): BytesBody =>
  bytesTotal <= blockBytes
    ? { kind: 'bytes', bytes: blocks.next().value! as Uint8Array }
    : { kind: 'chunks', chunks: blocks, bytesTotal };

function isToBeCompressed(
  request: ApiRequest,
  { services }: Pick<ResourceScope, 'services'>,
  bytesTotal: number,
): boolean {
  if (services.gzip === undefined || bytesTotal <= gzipBytesMin) return false;
  const accept = request.header('accept-encoding');
  return accept !== undefined && accept.split(',').some((token) => token.trim() === 'gzip');
}
