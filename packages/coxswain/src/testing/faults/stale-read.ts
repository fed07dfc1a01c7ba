/** Answers a read with an earlier state, like a server whose cache lags behind. */

import type { Answer, ApiResponse } from '@coxswain/apiserver/http/api-response.ts';
import type { Next } from '@coxswain/apiserver/filters/filter.ts';
import { ApiRequest, type IncomingRequest } from '@coxswain/apiserver/http/api-request.ts';
import { errorResponse } from '@coxswain/apiserver/negotiation/error-response.ts';
import { parseRequestInfo } from '@coxswain/apiserver/request-info.ts';
import { notFound } from '@coxswain/apimachinery';

interface ListObject {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly items?: readonly Readonly<Record<string, unknown>>[];
}

/**
 * The store keeps its history, so an older state is a list at that version, and an object the only item of one. Reads
 * at an explicit version, or older than the store remembers, are answered normally.
 */
export async function readAt(revision: number, request: ApiRequest, next: Next): Promise<ApiResponse> {
  const parameters = new URLSearchParams(request.incoming.query);
  if (parameters.has('continue') || parameters.has('resourceVersionMatch')) return next(request);
  parameters.set('resourceVersion', String(revision));
  parameters.set('resourceVersionMatch', 'Exact');
  if (request.info.verb === 'list') return orAsAsked(request, next, await next(asked(request, parameters)));
  parameters.set('fieldSelector', `metadata.name=${request.info.name}`);
  const path = request.incoming.path.slice(0, request.incoming.path.lastIndexOf('/'));
  const list = await next(asked(request, parameters, path));
  return list.body.kind === 'object' && list.status === 200
    ? onlyItem(list, list.body.object as ListObject, request)
    : next(request);
}

const orAsAsked = (request: ApiRequest, next: Next, response: ApiResponse): Answer =>
  response.status === 200 ? response : next(request);

/** Rewrites the request. Responses are structured objects, so that the item can be extracted. */
function asked(request: ApiRequest, parameters: URLSearchParams, path = request.incoming.path): ApiRequest {
  const query = parameters.toString();
  const { incoming } = request;
  const changed: IncomingRequest = {
    method: incoming.method,
    path,
    query,
    headers: request.headers,
    body: incoming.body,
    peer: incoming.peer,
    structured: incoming.structured || request.info.verb === 'get',
    signal: () => incoming.signal(),
  };
  const other = new ApiRequest(changed);
  other.info = parseRequestInfo(incoming.method, path, query);
  other.user = request.user;
  other.auditId = request.auditId;
  other.receivedAtMs = request.receivedAtMs;
  other.startedAtMs = request.startedAtMs;
  other.deadlineMs = request.deadlineMs;
  return other;
}

function onlyItem(response: ApiResponse, list: ListObject, request: ApiRequest): ApiResponse {
  const { group, resource, name } = request.info;
  const item = list.items?.[0];
  if (item === undefined) return errorResponse(request, notFound({ group, resource }, name));
  const kind = (list.kind ?? '').replace(/List$/, '');
  const object = { apiVersion: list.apiVersion, kind, ...item };
  return { ...response, body: bodyFor(request, object) };
}

const bodyFor = (request: ApiRequest, object: unknown): ApiResponse['body'] =>
  request.incoming.structured
    ? { kind: 'object', object }
    : { kind: 'bytes', bytes: new TextEncoder().encode(JSON.stringify(object)) };
