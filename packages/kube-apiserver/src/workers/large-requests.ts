/**
 * Which requests another thread serves: those that would hold the main one up. What a request costs is estimated by
 * the bytes that have to be read and written for it, at what was measured of each kind of work.
 */
import type { ApiRequest } from '@coxswain/apiserver';
import type { ApiResponse } from '@coxswain/apiserver/http/api-response.ts';
import { ReadRequest } from '@coxswain/apiserver/http/read-request.ts';
import { declaredLength, readBody } from '@coxswain/apiserver/http/request-body.ts';
import { keyOf } from '@coxswain/apiserver/registry/keys.ts';
import type { ServeElsewhere } from '@coxswain/apiserver/services.ts';
import type { StoreRegistry } from '../groups/store-registry.ts';
import type { RequestWorkers } from './request-workers.ts';

/** What the main thread serves itself: longer than this, it would be noticed by others. */
const mainThreadMsMax = 6;

/** Nanoseconds for a byte of a body, from reading it to having its answer; by the end of its media type. */
const nsPerByte: readonly (readonly [RegExp, number])[] = [
  [/apply-patch\+yaml/, 650],
  [/yaml/, 350],
  [/patch\+json/, 300],
];
const nsPerJsonByte = 120;
/** For a byte of what is stored: it is read, compared and written again. */
const nsPerStoredByte = 250;

/** Their work is done with what the main thread alone has, such as keys. */
const mainThreadOnly: ReadonlySet<string> = new Set(['serviceaccounts/token', 'tokenreviews']);

/** Steps of routes whose answer comes at once and is whole. */
const simple: ReadonlySet<string> = new Set(['get', 'post', 'put', 'patch', 'delete']);

export const largeRequests =
  (workers: RequestWorkers, stores: StoreRegistry): ServeElsewhere =>
  (request, { resource, subresource, storage }, step) => {
    if (!workers.isUsable || request.observer !== undefined || request.incoming.structured) return undefined;
    if (!simple.has(step) || storage.stream !== undefined) return undefined;
    if (mainThreadOnly.has(subresource === '' ? resource : `${resource}/${subresource}`)) return undefined;
    const { body } = request.incoming;
    const declared = declaredLength(request.header('content-length'));
    if (body.kind === 'stream' && declared === undefined) return readFirst(workers, request, stores);
    if (expectedMs(request, declared ?? 0, stores) <= mainThreadMsMax) return undefined;
    const bytes = readBody(body);
    return bytes instanceof Promise
      ? bytes.then((later) => workers.serve(request, later))
      : workers.serve(request, bytes);
  };

/** Of a body without a length it is known when it is there; a small one is handed on. */
async function readFirst(
  workers: RequestWorkers,
  request: ApiRequest,
  stores: StoreRegistry,
): Promise<ApiResponse | undefined> {
  const bytes = await readBody(request.incoming.body);
  if (expectedMs(request, bytes.length, stores) > mainThreadMsMax) return workers.serve(request, bytes);
  request.incoming = new ReadRequest(request.incoming, bytes);
  return undefined;
}

function expectedMs(request: ApiRequest, bodyBytes: number, stores: StoreRegistry): number {
  const { name } = request.info;
  const storedBytes = name === '' ? 0 : bytesStored(request, stores);
  if (request.method === 'GET' && isStoredForm(request)) return 0;
  return (bodyBytes * nsPerByteOf(request) + storedBytes * nsPerStoredByte) / 1e6;
}

/** Of the object that the request names; 0 where it isn't known at once. */
function bytesStored({ info, namespace }: ApiRequest, stores: StoreRegistry): number {
  const store = stores.storeOf(info.group, info.resource);
  if (store === undefined || !store.cache.isReady) return 0;
  const key = keyOf({ prefix: store.storagePrefix, namespaced: store.namespaced }, namespace, info.name);
  const found = store.cache.get(key, 'any');
  return found instanceof Promise ? 0 : (found?.bytesKept ?? 0);
}

/** Whether an answer may well be the bytes that are stored. */
const isStoredForm = (request: ApiRequest): boolean =>
  !request.hasQuery && plainJson.test(request.header('accept') ?? '');

const plainJson = /^(|\*\/\*|application\/json)(,|$)/;

function nsPerByteOf(request: ApiRequest): number {
  const type = request.header('content-type') ?? '';
  return nsPerByte.find(([pattern]) => pattern.test(type))?.[1] ?? nsPerJsonByte;
}
