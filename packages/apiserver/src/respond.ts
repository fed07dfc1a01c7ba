/**
 * Turns what a store handed out into the answer that the client asked for. Where the stored form is the
 * asked form, stored bytes go out untouched: an object is its bytes, a list a head, the items, a tail.
 */
import type { KubeObject } from '@coxswain/apimachinery';
import { encode } from '@coxswain/schema';
import type { ApiRequest } from './http/api-request.ts';
import { utf8 } from './http/api-response.ts';
import type { ApiResponse, ResponseBody } from './http/api-response.ts';
import { encodeObject, textForm } from './negotiation/encode-object.ts';
import type { Negotiated } from './negotiation/negotiate.ts';
import type { ResourceScope } from './resource-scope.ts';
import type { Served, ServedList } from './rest/served.ts';
import { partialObject, partialObjectList } from './table/partial-object.ts';
import { tableJson } from './table/table-json.ts';
import { tableOf } from './table/table.ts';
import { tableOptionsOf } from './table/table-options.ts';

type Response = ApiResponse | Promise<ApiResponse>;

/** Answers larger than this are compressed for who accepts it. */
export const gzipBytesMin = 128 * 1024;

const lineBreak = utf8('\n');
const comma = utf8(',');
const nothing = utf8('');
/** Items of a typed list don't say their kind: what stands before the rest is cut off without copying. */
const openBrace = utf8('{');
const commaBrace = utf8(',{');

/** One object. */
export function respondObject(
  request: ApiRequest,
  scope: ResourceScope,
  negotiated: Negotiated,
  status: number,
  served: Served,
): Response {
  if (negotiated.transform !== undefined)
    return respondTransformed(request, scope, negotiated, status, served);
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

/** A list; its items all come from one revision. */
export function respondList(
  request: ApiRequest,
  scope: ResourceScope,
  negotiated: Negotiated,
  list: ServedList,
): Response {
  if (negotiated.transform !== undefined) return respondTransformed(request, scope, negotiated, 200, list);
  if (request.incoming.structured || negotiated.type.media === 'protobuf') {
    const object = listObject(scope, list);
    if (request.incoming.structured) return structured(request, 200, object);
    const bytes = encodeObject(
      negotiated,
      { ...scope.kind, kind: `${scope.kind.kind}List` },
      scope.kind.listType,
      object,
    );
    return respondChunks(request, scope, negotiated, 200, [bytes]);
  }
  const chunks = listChunks(scope, list);
  if (negotiated.type.media === 'json' && !negotiated.pretty) {
    chunks.push(lineBreak);
    return respondChunks(request, scope, negotiated, 200, chunks);
  }
  const bytes = textForm(negotiated.type.media as 'json' | 'yaml', negotiated.pretty, textOf(chunks));
  return respondChunks(request, scope, negotiated, 200, [bytes]);
}

/** A plain object of a known kind, such as a Status or a review. */
export function respondPlain(
  request: ApiRequest,
  scope: ResourceScope,
  negotiated: Negotiated,
  status: number,
  kind: ResourceScope['kind'],
  object: KubeObject,
): Response {
  if (request.incoming.structured) return structured(request, status, object);
  const chunk = encodeObject(negotiated, kind, kind.type, object);
  return respondChunks(request, scope, negotiated, status, [chunk]);
}

const structured = (request: ApiRequest, status: number, object: unknown): ApiResponse => ({
  status,
  headers: request.responseHeaders,
  body: { kind: 'object', object },
});

/** The object in the endpoint's version. */
export const versioned = (scope: ResourceScope, object: KubeObject): KubeObject =>
  scope.identity ? object : scope.fromStorage(object);

const decoder = new TextDecoder();

/** The object's JSON in the endpoint's version. */
export const jsonText = (scope: ResourceScope, served: Served): string =>
  scope.identity && served.served !== undefined
    ? decoder.decode(served.served)
    : encode(scope.kind.type, versioned(scope, served.object));

/** The same as bytes; other versions are kept beside the object. */
export function jsonBytes(scope: ResourceScope, served: Served): Uint8Array {
  if (scope.identity && served.served !== undefined) return served.served;
  const make = (object: Served) => utf8(encode(scope.kind.type, versioned(scope, object.object)));
  return served.form === undefined ? make(served) : served.form(`json ${scope.kind.apiVersion}`, make);
}

function listObject(scope: ResourceScope, list: ServedList): KubeObject {
  return {
    kind: `${scope.kind.kind}List`,
    apiVersion: scope.kind.apiVersion,
    metadata: listMeta(list),
    items: list.items.map((item) => versioned(scope, item.object)),
  } as unknown as KubeObject;
}

export const listMeta = (list: ServedList) => ({
  ...(list.resourceVersion === '' ? undefined : { resourceVersion: list.resourceVersion }),
  ...(list.continue === undefined ? undefined : { continue: list.continue }),
  ...(list.remainingItemCount === undefined ? undefined : { remainingItemCount: list.remainingItemCount }),
});

function listChunks(scope: ResourceScope, list: ServedList): Uint8Array[] {
  const { kind, apiVersion } = scope.kind;
  if (scope.itemsHaveKind) {
    // Custom resources are untyped in the original: members sorted, and a continue that is there when empty.
    const meta = JSON.stringify({ continue: '', ...listMeta(list) });
    const chunks: Uint8Array[] = [utf8(`{"apiVersion":"${apiVersion}","items":[`)];
    addItems(chunks, scope, list, 0);
    chunks.push(utf8(`],"kind":"${kind}List","metadata":${meta}}`));
    return chunks;
  }
  const meta = JSON.stringify(listMeta(list));
  const head = `{"kind":"${kind}List","apiVersion":"${apiVersion}","metadata":${meta},"items":[`;
  const chunks: Uint8Array[] = [utf8(head)];
  addItems(chunks, scope, list, `{"kind":"${kind}","apiVersion":"${apiVersion}",`.length);
  chunks.push(utf8(']}'));
  return chunks;
}

/** @param skipped bytes at the beginning of each item that a list leaves out: its kind, and the brace before it */
function addItems(chunks: Uint8Array[], scope: ResourceScope, list: ServedList, skipped: number): void {
  let separator = skipped === 0 ? nothing : openBrace;
  for (const item of list.items) {
    if (separator.length > 0) chunks.push(separator);
    separator = skipped === 0 ? comma : commaBrace;
    const bytes = jsonBytes(scope, item);
    chunks.push(skipped === 0 ? bytes : bytes.subarray(skipped));
  }
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
  const { media } = negotiated.type;
  if (transform.kind === 'Table' && media !== 'protobuf' && !request.incoming.structured) {
    const json = tableJson(
      {
        scope,
        options: tableOptionsOf(request),
        version: transform.version,
        objectOf: (item) => versioned(scope, item.object),
        jsonOf: (item) => jsonText(scope, item),
      },
      list?.items ?? [served as Served],
      list && listMeta(list),
    );
    return respondChunks(request, scope, negotiated, status, [textForm(media, negotiated.pretty, json)]);
  }
  const objects = (list?.items ?? [served as Served]).map((item) => versioned(scope, item.object));
  if (transform.kind === 'Table') {
    const table = tableOf(scope, objects, tableOptionsOf(request), transform.version, list && listMeta(list));
    return respondPlain(request, scope, negotiated, status, table.kind, table.object);
  }
  const partial =
    list === undefined
      ? partialObject(transform, objects[0]!)
      : partialObjectList(transform, objects, listMeta(list));
  return respondPlain(request, scope, negotiated, status, partial.kind, partial.object);
}

/** Bytes of the negotiated type; large answers compressed for who accepts it. */
export function respondChunks(
  request: ApiRequest,
  scope: Pick<ResourceScope, 'services'>,
  negotiated: Pick<Negotiated, 'type'>,
  status: number,
  chunks: readonly Uint8Array[],
): Response {
  const headers = request.responseHeaders;
  headers['content-type'] = negotiated.type.contentType;
  let bytesTotal = 0;
  for (const chunk of chunks) bytesTotal += chunk.length;
  const { gzip } = scope.services;
  if (bytesTotal > gzipBytesMin && gzip !== undefined && acceptsGzip(request)) {
    headers['content-encoding'] = 'gzip';
    headers['vary'] = 'Accept-Encoding';
    return gzip(chunks).then((bytes) => ({ status, headers, body: { kind: 'bytes', bytes } }));
  }
  const body: ResponseBody =
    chunks.length === 1 ? { kind: 'bytes', bytes: chunks[0]! } : { kind: 'chunks', chunks, bytesTotal };
  return { status, headers, body };
}

const acceptsGzip = (request: ApiRequest): boolean => {
  const accept = request.header('accept-encoding');
  return accept !== undefined && accept.split(',').some((token) => token.trim() === 'gzip');
};
