/**
 * Forwards a request of the page to the API server, and the response back. The transport, not the page, adds the user's
 * credentials.
 */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import type { Transport, TransportResponse } from '@coxswain/client';
import { refuse } from './answers.ts';
import { clusterPrefix } from './guard.ts';

/** More than the API server accepts. */
const bodyBytesMax = 8 * 1024 * 1024;

const passedOn = ['accept', 'content-type', 'traceparent'] as const;
const passedBack = ['content-type', 'retry-after', 'warning', 'audit-id'] as const;

/**
 * A response from the cluster may be a web page served by a pod. Wherever it ends up, the browser shows it without
 * scripts and without access to this origin.
 */
const untrusted = "default-src 'none'; sandbox";

/** `/cluster/api/v1/pods` → `/api/v1/pods` */
export const pathInCluster = (url: string): string => url.slice(clusterPrefix.length - 1);

export async function proxyRequest(
  transport: Transport,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await bodyOf(request);
  if (body === undefined) return refuse(response, 413, `The body is larger than ${bodyBytesMax} bytes`);
  const leaving = new AbortController();
  response.once('close', () => leaving.abort(new Error('the page has left')));
  let answer: TransportResponse;
  try {
    answer = await transport.send({
      method: request.method ?? 'GET',
      path: pathInCluster(request.url ?? ''),
      headers: headersFor(request),
      ...(body.length > 0 && { body }),
      signal: leaving.signal,
    });
  } catch (failure) {
    if (!leaving.signal.aborted) unreachable(response, failure);
    return;
  }
  response.statusCode = answer.status;
  response.setHeader('content-security-policy', untrusted);
  for (const name of passedBack) {
    const value = answer.headers[name];
    if (value !== undefined) response.setHeader(name, value);
  }
  await pipeline(Readable.from(answer.stream()), response).catch(() => response.destroy());
}

function headersFor(request: IncomingMessage): Record<string, string> {
  const headers: Record<string, string> = { 'user-agent': 'coxswain-ui' };
  for (const name of passedOn) {
    const value = request.headers[name];
    if (typeof value === 'string') headers[name] = value;
  }
  return headers;
}

/** With this status, the page can distinguish an unreachable API server from one that fails. */
function unreachable(response: ServerResponse, failure: unknown): void {
  response.setHeader('x-coxswain-unreachable', '1');
  refuse(response, 502, `The API server cannot be reached: ${messageOf(failure)}`);
}

async function bodyOf(request: IncomingMessage): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    if (length > bodyBytesMax) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
