/** Responds with a document that isn't a resource, in a format that the client accepts. */
import { encode, type Kind } from '@coxswain/schema';
import type { ApiRequest } from '../http/api-request.ts';
import type { ApiResponse } from '../http/api-response.ts';
import { contentTypesOf, mediaTypes } from '../negotiation/media-type.ts';
import {
  checkRouterAccept,
  checkRouterContentType,
  negotiate,
  plainScope,
} from '../negotiation/negotiate.ts';
import { encodeObject } from '../negotiation/encode-object.ts';
import { respondChunks } from '../respond.ts';
import type { ServerServices } from '../services/services.ts';

const produced = contentTypesOf(mediaTypes);

/**
 * @param isRouted whether upstream serves the path through its router, which refuses some media types that the server
 * accepts
 * @throws StatusError 406, 415
 */
export function respondDocument(
  request: ApiRequest,
  services: ServerServices,
  kind: Kind,
  document: DiscoveryDocument,
  isRouted = true,
): ApiResponse | Promise<ApiResponse> {
  request.audit?.noteResponse(() => encode(kind.type, document));
  if (request.incoming.structured) {
    return { status: 200, headers: request.responseHeaders, body: { kind: 'object', object: document } };
  }
  if (isRouted) {
    checkRouterContentType(request, produced);
    checkRouterAccept(request, produced);
  }
  const negotiated = negotiate(request, plainScope);
  // Some documents predate versioned discovery.
  const onWire = { ...kind, apiVersion: document.apiVersion ?? '', group: '', version: 'v1' };
  return respondChunks(request, { services }, negotiated, 200, [
    encodeObject(negotiated, onWire, kind.type, document),
  ]);
}

export interface DiscoveryDocument {
  readonly kind: string;
  readonly apiVersion?: string;
  readonly [member: string]: unknown;
}
