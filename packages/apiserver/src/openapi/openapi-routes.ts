/**
 * OpenAPI documents: v3 by group version, with an index of URLs that contain a hash of their content, and v2 as a
 * whole. They are built on first request, and again when the described API has changed.
 */
import { emptyBody, utf8, type ApiResponse } from '../http/api-response.ts';
import type { ApiRequest } from '../http/api-request.ts';
import { nobody } from '@coxswain/apimachinery/slices.ts';
import { parseAccept } from '../negotiation/accept.ts';
import { respondChunks } from '../respond.ts';
import type { PlainHandler, PlainRoutes } from '../routing/plain-routes.ts';
import type { ServerServices } from '../services/services.ts';
import type { EncodedDocument } from '@coxswain/schema/openapi.ts';
import { entityTag } from '../discovery/entity-tag.ts';
import { isUnchanged } from './unchanged.ts';

/** One document and the time at which it was built. */
interface Document {
  readonly chunks: readonly Uint8Array[];
  /** The ETag, including its quotes. */
  readonly tag: string;
  readonly madeAtMs: number;
  /** Compressed on first use. */
  readonly compressed: () => Promise<readonly Uint8Array[]>;
  readonly inProtobuf: () => Document;
}

/** How to build a document; the result is valid while `state` stays the same. */
export interface DocumentSource<Made = EncodedDocument> {
  readonly state: unknown;
  readonly make: () => Made;
}

export interface OpenApiSources {
  /** By path, as in the index: `apis/apps/v1`; the same map until something changes. */
  readonly byPath: ReadonlyMap<string, DocumentSource>;
  readonly wholeV2: DocumentSource<EncodedDocument | Promise<EncodedDocument>>;
}

export interface OpenApiOptions {
  readonly services: ServerServices;
  readonly sources: () => OpenApiSources;
  /** Documents of other servers, for the index: URL by path. */
  readonly elsewhere?: () => ReadonlyMap<string, string> | undefined;
}

interface Made {
  readonly state: unknown;
  readonly document: Document;
}

interface Whole {
  state: unknown;
  document: Document | Promise<Document>;
}

export class OpenApiRoutes {
  readonly #services: ServerServices;
  readonly #sources: () => OpenApiSources;
  readonly #elsewhere: () => ReadonlyMap<string, string> | undefined;
  readonly #made = new Map<string, Made>();
  #wholeV2: Whole | undefined;

  constructor(plain: PlainRoutes, { services, sources, elsewhere }: OpenApiOptions) {
    this.#services = services;
    this.#sources = sources;
    this.#elsewhere = elsewhere ?? (() => undefined);
    const openApiV2: PlainHandler = (request) => this.#serveV2(request);
    const openApiIndex: PlainHandler = (request) => this.#serveIndex(request);
    const openApiV3: PlainHandler = (request) => this.#serveV3(request);
    plain.add('/openapi/v2', openApiV2);
    plain.add('/openapi/v3', openApiIndex);
    plain.addPrefix('/openapi/v3/', openApiV3);
  }

  #document(path: string, { state, make }: DocumentSource): Document {
    const known = this.#made.get(path);
    if (known !== undefined && known.state === state) return known.document;
    const document = this.#encoded(make());
    this.#made.set(path, { state, document });
    return document;
  }

  /** All who ask while it is made get the same one. */
  #whole({ state, make }: OpenApiSources['wholeV2']): Document | Promise<Document> {
    if (this.#wholeV2 !== undefined && this.#wholeV2.state === state) return this.#wholeV2.document;
    const made = make();
    const known: Whole = {
      state,
      document: made instanceof Promise ? this.#soon(made) : this.#encoded(made),
    };
    this.#wholeV2 = known;
    if (known.document instanceof Promise) {
      known.document.then(
        (document) => (known.document = document),
        () => (known.state = undefined),
      );
    }
    return known.document;
  }

  async #soon(made: Promise<EncodedDocument>): Promise<Document> {
    return this.#encoded(await made);
  }

  #encoded({ json, protobuf }: EncodedDocument): Document {
    const madeAtMs = this.#services.clock.now();
    const inProtobuf = once((): Document => this.#sent(protobuf(), madeAtMs, inProtobuf));
    return this.#sent(json, madeAtMs, inProtobuf);
  }

  #sent(chunks: readonly Uint8Array[], madeAtMs: number, inProtobuf: () => Document): Document {
    const by = { clock: this.#services.clock, owner: nobody };
    const compressed = once(() => this.#services.gzip!.whole(chunks, by).then((one) => [one]));
    return { chunks, tag: entityTag(chunks), madeAtMs, compressed, inProtobuf };
  }

  /** The index has the hash of every document, so all of them are built. */
  #index(byPath: OpenApiSources['byPath']): Document {
    for (const path of this.#made.keys()) if (isPathGone(path, byPath)) this.#made.delete(path);
    const elsewhere = this.#elsewhere();
    const make = () => {
      const own = [...byPath].map(
        ([path, source]) =>
          [path, `/openapi/v3/${path}?hash=${hashOf(this.#document(path, source).tag)}`] as const,
      );
      const urls = [...new Map([...(elsewhere ?? []), ...own])].sort(([a], [b]) => (a < b ? -1 : 1));
      const paths = Object.fromEntries(
        urls.map(([path, serverRelativeURL]) => [path, { serverRelativeURL }]),
      );
      return wholeDocument(() => ({ paths }), noProtobuf);
    };
    // An index with other servers' documents is always rebuilt: it is small, and they are few.
    return this.#document(indexPath, { state: elsewhere ?? byPath, make });
  }

  #serveIndex(request: ApiRequest): ApiResponse | Promise<ApiResponse> {
    const document = this.#index(this.#sources().byPath);
    const headers = request.responseHeaders;
    headers['last-modified'] = new Date(document.madeAtMs).toUTCString();
    if (isUnchanged(request, { madeAtMs: document.madeAtMs })) return notModified(headers);
    // Upstream lets the type be sniffed from the bytes, and JSON is taken for text.
    return this.#send(request, 'text/plain; charset=utf-8', document);
  }

  #serveV3(request: ApiRequest): ApiResponse | Promise<ApiResponse> {
    const path = request.info.path.slice('/openapi/v3/'.length);
    const source = this.#sources().byPath.get(path);
    const headers = request.responseHeaders;
    if (source === undefined) return { status: 404, headers, body: emptyBody };
    if (namesNoType(request)) return { status: 200, headers, body: emptyBody };
    headers['vary'] = 'Accept';
    const isProtobuf = wantsProtobuf(request, 'com.github.proto-openapi.spec.v3');
    if (!isProtobuf && !takesJson(request)) return { status: 406, headers, body: emptyBody };
    const document = this.#document(path, source);
    headers['etag'] = document.tag;
    headers['content-type'] = 'application/json';
    const hash = request.parameters.get('hash') ?? '';
    if (hash !== '' && hash !== hashOf(document.tag)) {
      headers['location'] = `/openapi/v3/${path}?hash=${hashOf(document.tag)}`;
      return { status: 301, headers, body: emptyBody };
    }
    if (hash !== '') {
      headers['cache-control'] = 'public, immutable';
      headers['expires'] = new Date(this.#services.clock.now() + yearMs).toUTCString();
    }
    if (!isProtobuf) return this.#sendDocument(request, document);
    // The ETag, and so the hash, is that of the JSON form.
    return this.#sendDocument(request, { ...document.inProtobuf(), tag: document.tag }, protobufV3);
  }

  #serveV2(request: ApiRequest): ApiResponse | Promise<ApiResponse> {
    const document = this.#whole(this.#sources().wholeV2);
    return document instanceof Promise
      ? document.then((made) => this.#sendV2(request, made))
      : this.#sendV2(request, document);
  }

  #sendV2(request: ApiRequest, document: Document): ApiResponse | Promise<ApiResponse> {
    const headers = request.responseHeaders;
    headers['vary'] = ['Accept-Encoding', 'Accept'];
    const isProtobuf = wantsProtobuf(request, 'com.github.proto-openapi.spec.v2');
    if (!isProtobuf && !takesJson(request)) return { status: 406, headers, body: emptyBody };
    const sent = isProtobuf ? document.inProtobuf() : document;
    headers['etag'] = sent.tag;
    return this.#sendDocument(request, sent, isProtobuf ? protobufV2 : undefined);
  }

  #sendDocument(
    request: ApiRequest,
    document: Document,
    contentType = 'application/json',
  ): ApiResponse | Promise<ApiResponse> {
    const headers = request.responseHeaders;
    headers['last-modified'] = new Date(document.madeAtMs).toUTCString();
    if (isUnchanged(request, document)) return notModified(headers);
    return this.#send(request, contentType, document);
  }

  #send(
    request: ApiRequest,
    contentType: string,
    { chunks, compressed }: Document,
  ): ApiResponse | Promise<ApiResponse> {
    const vary = request.responseHeaders['vary'];
    const type = { media: 'json', subtype: 'json', contentType, streams: false } as const;
    const answer = respondChunks(request, { services: this.#services }, { type }, 200, chunks, compressed);
    if (vary !== undefined) request.responseHeaders['vary'] = vary;
    return answer;
  }
}

/** Removes headers that describe a body; the time stays if there is no ETag. */
function notModified(headers: ApiRequest['responseHeaders']): ApiResponse {
  delete headers['content-type'];
  if (headers['etag'] !== undefined) delete headers['last-modified'];
  return { status: 304, headers, body: emptyBody };
}

function once<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

/** A key that is not a path of the index. */
const indexPath = '/v3';

const isPathGone = (key: string, byPath: OpenApiSources['byPath']): boolean =>
  !key.startsWith('/') && !byPath.has(key);

const protobufV3 = 'application/com.github.proto-openapi.spec.v3.v1.0+protobuf';
const protobufV2 = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf';
const yearMs = 365 * 24 * 60 * 60 * 1000;

const noProtobuf = (): Uint8Array => new Uint8Array();

/** A document built in one piece; its object is large, so it is rebuilt for clients that want protobuf. */
export const wholeDocument = (
  make: () => object,
  protobufOf: (document: object) => Uint8Array,
): EncodedDocument => ({
  json: [utf8(JSON.stringify(make()))],
  protobuf: () => [protobufOf(make())],
});

const hashOf = (tag: string): string => tag.slice(1, -1);

/** Whether JSON is accepted, which is the default; `application/json` may be anywhere in Accept. */
const takesJson = (request: ApiRequest): boolean => {
  const accept = request.header('accept');
  if (accept === undefined || accept === '') return true;
  return parseAccept(accept).some(
    ({ type, subtype }) => ['application', '*'].includes(type) && ['json', '*'].includes(subtype),
  );
};

/** Upstream answers a header without any media type with nothing at all. */
const namesNoType = (request: ApiRequest): boolean => {
  const accept = request.header('accept') ?? '';
  return accept !== '' && parseAccept(accept).length === 0;
};

/** Whether the client prefers protobuf. */
function wantsProtobuf(request: ApiRequest, name: string): boolean {
  const accept = request.header('accept') ?? '';
  if (!accept.includes(name)) return false;
  const [first] = parseAccept(accept);
  return first !== undefined && first.subtype.startsWith(name);
}
