/** Responds to a failure with a Status in the form that the client accepts. */
import type { Status, StatusError } from '@coxswain/apimachinery';
import { Status as StatusKind } from '@coxswain/api/meta/v1/status.ts';
import type { ApiRequest } from '../http/api-request.ts';
import { emptyBody, utf8, type ApiResponse } from '../http/api-response.ts';
import { encodeObject, jsonOf } from './encode-object.ts';
import { indentJson } from './indent-json.ts';
import { negotiate, plainScope, type NegotiationScope } from './negotiate.ts';

export const errorResponse = (
  request: ApiRequest,
  error: StatusError,
  scope: NegotiationScope = plainScope,
): ApiResponse => statusResponse(request, error.status, scope);

export function statusResponse(
  request: ApiRequest,
  status: Status,
  scope: NegotiationScope = plainScope,
): ApiResponse {
  const headers = request.responseHeaders;
  const code = status.code ?? 200;
  const seconds = status.details?.retryAfterSeconds;
  if (seconds !== undefined && seconds > 0) headers['retry-after'] = String(seconds);
  if (code === 204) return { status: code, headers, body: emptyBody };
  // A response that the client cannot read is audited only by its code, as upstream.
  const note = () => request.audit?.noteStatus(status, () => jsonOf(StatusKind.type, status));
  if (request.incoming.structured) {
    note();
    return { status: code, headers, body: { kind: 'object', object: status } };
  }
  let negotiated;
  try {
    negotiated = negotiate(request, scope);
  } catch {
    return rawStatus(request, status);
  }
  note();
  headers['content-type'] = negotiated.type.contentType;
  const bytes = encodeObject(negotiated, statusKind, StatusKind.type, status);
  return { status: code, headers, body: { kind: 'bytes', bytes } };
}

/** Status belongs to every group's version; on the wire it is plain `v1`. */
export const statusKind = { ...StatusKind, apiVersion: 'v1', group: '', version: 'v1' };

/** For clients that accept none of the server's media types. */
function rawStatus(request: ApiRequest, status: Status): ApiResponse {
  request.responseHeaders['content-type'] = 'application/json';
  const bytes = utf8(indentJson(jsonOf(StatusKind.type, status)));
  return { status: status.code ?? 406, headers: request.responseHeaders, body: { kind: 'bytes', bytes } };
}
