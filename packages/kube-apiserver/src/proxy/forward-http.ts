/** Forwards an HTTP request and streams the response back. */
import { detach } from '@coxswain/apimachinery/detach.ts';
import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import { http } from '@coxswain/apiserver/http/node-http.ts';
import https from 'node:https';
import { emptyBody, type ApiRequest, type ApiResponse } from '@coxswain/apiserver';
import { serviceUnavailable, type Clock } from '@coxswain/apimachinery';
import type { DiallingAgents } from '../egress/dialling-agents.ts';
import { dialErrorText } from '@coxswain/client/https/dial-error.ts';
import { whenDrained } from '@coxswain/streaming';
import { pour } from './pour.ts';
import { unreachable, type ForwardTarget } from './forwarder.ts';
import { requestHeaders, responseHeaders } from './forwarded-headers.ts';
import { rewrittenLocation } from './rewritten-location.ts';
import { rewrittenPage } from './rewritten-page.ts';

/** Upstream's timeout for connecting. */
export const dialMsMax = 30_000;

const answerHeaderBytesMax = 1024 * 1024;

/** The maximum number of informational (1xx) responses; Go's. */
const headsAheadMax = 5;

/** @throws StatusError 503 when the target is unreachable */
export async function forwardHttp(
  request: ApiRequest,
  target: ForwardTarget,
  tls: object,
  agents: DiallingAgents,
  clock: Clock,
): Promise<ApiResponse> {
  const answer = await send(request, target, tls, agents);
  const headers = responseHeaders(answer.headers);
  const { location } = answer.headers;
  if (location !== undefined) headers['location'] = rewrittenLocation(location, target);
  if (request.method === 'HEAD') {
    answer.resume();
    return { status: answer.statusCode!, headers, body: emptyBody };
  }
  const { pathPrefix } = target;
  const body =
    pathPrefix === undefined ? undefined : rewrittenPage(answer, pathPrefix, hostsOf(request, target));
  // Its length may have changed.
  if (body !== undefined) delete headers['content-length'];
  return {
    status: answer.statusCode!,
    headers,
    body: { kind: 'stream', open: (sink) => pour(body ?? answer, sink, clock, request.owner) },
  };
}

async function send(
  request: ApiRequest,
  target: ForwardTarget,
  tls: object,
  agents: DiallingAgents,
): Promise<IncomingMessage> {
  const { scheme, host, path, query = request.incoming.query } = target;
  const port = target.port || (scheme === 'https' ? '443' : '80');
  const options: RequestOptions = {
    ...tls,
    host,
    port,
    method: request.method,
    path: requestTarget(path, query),
    headers: {
      ...requestHeaders(request, false, target.extension?.user),
      ...(target.extension && { 'x-forwarded-host': `${host}:${port}`, 'x-forwarded-proto': scheme }),
      ...(target.pathPrefix !== undefined && { 'x-forwarded-uri': `${target.pathPrefix}${path}` }),
    },
    signal: request.signal,
    timeout: dialMsMax,
    maxHeaderSize: answerHeaderBytesMax,
    agent: agents[scheme],
  };
  const outgoing = (scheme === 'https' ? https : http).request(options);
  // Only for connecting: a body may be arbitrarily slow.
  outgoing.once('socket', (socket) => {
    if (outgoing.reusedSocket) outgoing.setTimeout(0);
    else socket.once(scheme === 'https' ? 'secureConnect' : 'connect', () => outgoing.setTimeout(0));
  });
  let heads = 0;
  outgoing.on('information', () => {
    if (++heads > headsAheadMax) outgoing.destroy(new Error('too many 1xx informational responses'));
  });
  outgoing.once('timeout', () =>
    outgoing.destroy(Object.assign(new Error('timeout'), { code: 'ETIMEDOUT' })),
  );
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    outgoing.once('response', resolve);
    outgoing.on('error', reject);
  });
  detach(sendBody(request, outgoing));
  return answered.catch((failure: unknown) => {
    throw serviceUnavailable(`${unreachable}${dialErrorText(failure, host, port)}`);
  });
}

/** In a URL, an empty path may precede a query, but not on the request line. */
const requestTarget = (path: string, query: string): string =>
  `${path === '' ? '/' : path}${query === '' ? '' : `?${query}`}`;

async function sendBody({ incoming: { body } }: ApiRequest, outgoing: ClientRequest): Promise<void> {
  try {
    if (body.kind === 'bytes') outgoing.write(body.bytes);
    if (body.kind === 'object') outgoing.write(JSON.stringify(body.object));
    if (body.kind === 'stream') {
      for await (const chunk of body.stream.chunks()) {
        if (!outgoing.write(chunk)) await new Promise<void>((resolve) => whenDrained(outgoing, resolve));
      }
    }
    outgoing.end();
  } catch (failure) {
    outgoing.destroy(failure as Error);
  }
}

/** The hosts by which links may name the target: its own address, or what the client calls this server. */
const hostsOf = (request: ApiRequest, { host, port }: ForwardTarget): readonly string[] => [
  `${host}:${port}`,
  host,
  request.header('host') ?? request.header(':authority') ?? '',
];
