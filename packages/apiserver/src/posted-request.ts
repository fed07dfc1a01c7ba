/** A request that another thread serves, and its response, as plain values that a message port can carry. */
import type { Clock } from '@coxswain/apimachinery';
import { AuditContext, type AuditNotes } from './audit/audit-context.ts';
import type { RequestAudit } from './audit/policy/request-audit.ts';
import type { RequestInfo } from './request-info.ts';
import type { UserInfo } from './user.ts';
import { ApiRequest, type IncomingRequest } from './http/api-request.ts';
import type { ApiResponse, ResponseHeaders } from './http/api-response.ts';
import { responseBytes } from './http/in-process.ts';

export interface PostedRequest {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: IncomingRequest['headers'];
  readonly rawHeaders: readonly string[] | undefined;
  readonly address: string;
  readonly tls: boolean;
  readonly protocol: IncomingRequest['peer']['protocol'];
  readonly body: Uint8Array;
  readonly info: RequestInfo;
  readonly user: UserInfo;
  readonly impersonator: UserInfo | undefined;
  readonly auditId: string;
  readonly receivedAtMs: number;
  /** The remaining time until its deadline. */
  readonly leftMs: number;
  /** The audit policy's decision; absent if it is not audited. */
  readonly audit: RequestAudit | undefined;
}

/** A response without its body. */
export interface PostedHead {
  readonly status: number;
  readonly headers: ResponseHeaders;
  readonly warnings: readonly string[];
  readonly notes: AuditNotes | undefined;
}

export interface PostedAnswer extends PostedHead {
  readonly body: Uint8Array;
}

/** @param body the request's body, already read; @param nowMs on the monotonic clock */
export function requestToPost(request: ApiRequest, body: Uint8Array, nowMs: number): PostedRequest {
  const { incoming, info, user, impersonator, auditId, receivedAtMs } = request;
  const { method, path, query, rawHeaders, peer } = incoming;
  return {
    method,
    path,
    query,
    headers: { ...incoming.headers },
    rawHeaders,
    address: peer.address,
    tls: peer.tls,
    protocol: peer.protocol,
    body,
    info,
    user,
    impersonator,
    auditId,
    receivedAtMs,
    leftMs: request.deadlineMs - nowMs,
    audit: request.audit?.rule,
  };
}

/** Recreates the request in the thread that serves it. */
export function requestFromPost(
  posted: PostedRequest,
  signal: AbortSignal,
  services: { readonly clock: Clock; readonly log: (line: string) => void },
): ApiRequest {
  const nowMs = services.clock.monotonic();
  const { method, path, query, headers, rawHeaders, address, tls, protocol, body } = posted;
  const request = new ApiRequest({
    method,
    path,
    query,
    headers,
    rawHeaders,
    body: body.length === 0 ? { kind: 'none' } : { kind: 'bytes', bytes: body },
    peer: { address, tls, protocol },
    structured: false,
    signal: () => signal,
  });
  request.info = posted.info;
  request.user = posted.user;
  request.impersonator = posted.impersonator;
  request.auditId = posted.auditId;
  request.receivedAtMs = posted.receivedAtMs;
  request.startedAtMs = nowMs;
  request.deadlineMs = nowMs + posted.leftMs;
  if (posted.audit !== undefined) request.audit = AuditContext.elsewhere(request, posted.audit, services);
  return request;
}

export const headToPost = (request: ApiRequest, { status, headers }: ApiResponse): PostedHead => ({
  status,
  headers: { ...headers },
  warnings: request.warnings,
  notes: request.audit?.notes(),
});

export async function answerToPost(request: ApiRequest, response: ApiResponse): Promise<PostedAnswer> {
  const body = new Uint8Array(await responseBytes(response, undefined));
  return { ...headToPost(request, response), body };
}

/** Adds the warnings and audit annotations of the other thread to the request. */
export function headFromPost(
  request: ApiRequest,
  { status, headers, warnings, notes }: PostedHead,
): Pick<ApiResponse, 'status' | 'headers'> {
  for (const warning of warnings) request.warn(warning);
  if (notes !== undefined) request.audit?.adopt(notes);
  return { status, headers };
}

export const answerFromPost = (request: ApiRequest, answer: PostedAnswer): ApiResponse => ({
  ...headFromPost(request, answer),
  body: { kind: 'bytes', bytes: answer.body },
});
