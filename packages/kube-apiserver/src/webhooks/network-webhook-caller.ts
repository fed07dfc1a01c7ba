/**
 * Calls webhooks over the network with persistent connections: HTTP/1.1 from a pool, and HTTP/2 only for this machine.
 * Upstream does the same, so that one connection doesn't tie a service to one of its endpoints.
 */
import { unlessAborted } from '@coxswain/apimachinery';
import { detach } from '@coxswain/apimachinery/detach.ts';
import { inWallTime } from '@coxswain/apimachinery/wall-time.ts';
import https from 'node:https';
import type { Agent as HttpAgent, OutgoingHttpHeaders } from 'node:http';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { http } from '@coxswain/apiserver/http/node-http.ts';
import type { ClientHttp2Session, ClientHttp2Stream } from 'node:http2';
import { isIP } from 'node:net';
import { pipeline, type Readable, type Transform } from 'node:stream';
import { judging } from '@coxswain/client/https/connect-tls.ts';
import { Connections } from '@coxswain/client/https/connections.ts';
import type { ClientCertificate } from '@coxswain/client/kubeconfig/exec-credential.ts';
import { tunnelled } from '@coxswain/client/https/tunnelled-agent.ts';
import { trusting } from '@coxswain/client/https/trusted-authorities.ts';
import type { ServiceResolver } from '../service-address.ts';
import type { Dial } from '../egress/dial.ts';
import { goFailureText } from '@coxswain/client/https/go-failure-text.ts';
import { AnswerTooLong, readAnswer, type ReadAnswerOptions } from './read-answer.ts';
import {
  WebhookDialError,
  type WebhookCaller,
  type WebhookDials,
  type WebhookHttpAnswer,
  type WebhookRequest,
} from './webhook-caller.ts';
import type { WebhookCredentials, WebhookEndpoint } from './webhook-endpoint.ts';
import { webhookHeaders } from './webhook-headers.ts';

/** The number of idle connections per address, and how long they are kept; upstream's values. */
const idleConnectionsMax = 25;
const idleMsMax = 90_000;
/** The maximum number of local addresses whose connections are remembered. */
const localPlacesMax = 200;

/** @param dials the dialers for webhooks, unless connections are direct */
export function networkWebhookCaller(resolve: ServiceResolver, dials: WebhookDials = {}): WebhookCaller {
  const services = agentsOf(dials.services);
  const addresses = agentsOf(dials.addresses);
  const local = new LocalSessions(dials.addresses);
  return {
    async send(request) {
      const { endpoint, signal } = request;
      signal.throwIfAborted();
      const session = isThisMachine(endpoint) ? await local.sessionTo(endpoint, signal) : undefined;
      const proof = endpoint.credentials && (await proofOf(endpoint.credentials));
      if (session !== undefined) return overHttp2(session, request, proof);
      const address = await addressOf(endpoint, resolve);
      return overHttp1(request, address, endpoint.service ? services : addresses, proof);
    },
    close() {
      for (const agents of [services, addresses]) agents.close();
      local.close();
    },
  };
}

/** The caller's credentials for one call. */
interface Proof {
  readonly headers: OutgoingHttpHeaders;
  readonly certificate: ClientCertificate | undefined;
}

async function proofOf(credentials: WebhookCredentials): Promise<Proof> {
  const authorization = await credentials.authorization();
  return {
    headers: { ...credentials.headers, ...(authorization !== undefined && { authorization }) },
    certificate: await credentials.certificate(),
  };
}

interface Agents {
  /** An agent with persistent connections. */
  readonly kept: https.Agent;
  /** An agent for a single call. */
  fresh(): https.Agent;
  readonly plain: HttpAgent | undefined;
  close(): void;
}

function agentsOf(dial: Dial | undefined): Agents {
  const kept = { keepAlive: true, maxFreeSockets: idleConnectionsMax, timeout: idleMsMax };
  const agent = tunnelled(judging(new https.Agent(kept)), dial);
  const plain = dial && tunnelled(new http.Agent(), dial);
  return {
    kept: agent,
    fresh: () => tunnelled(judging(new https.Agent()), dial),
    plain,
    close: () => agent.destroy(),
  };
}

interface Address {
  readonly host: string;
  readonly port: number;
}

async function addressOf(
  { service, host, port }: WebhookEndpoint,
  resolve: ServiceResolver,
): Promise<Address> {
  if (service === undefined) return { host, port };
  try {
    const found = await resolve({ ...service, port });
    return { host: found.host, port: Number(found.port) };
  } catch (failure) {
    throw new WebhookDialError(messageOf(failure), { cause: failure });
  }
}

const isThisMachine = ({ service, host, origin }: WebhookEndpoint): boolean =>
  service === undefined &&
  origin.startsWith('https:') &&
  (host.toLowerCase() === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.')));

const headersOf = (request: WebhookRequest, proof: Proof | undefined): OutgoingHttpHeaders => ({
  ...webhookHeaders(request),
  ...(request.body !== undefined && { 'content-length': String(Buffer.byteLength(request.body)) }),
  'accept-encoding': 'gzip',
  ...proof?.headers,
});

/** A persistent connection that the other end has just closed yields no response: one more attempt uses a new one. */
async function overHttp1(
  request: WebhookRequest,
  address: Address,
  agents: Agents,
  proof: Proof | undefined,
): Promise<WebhookHttpAnswer> {
  try {
    return await attempt(request, address, agents, true, proof);
  } catch (failure) {
    if (!(failure instanceof StaleConnection)) throw failure;
    return attempt(request, address, agents, false, proof);
  }
}

class StaleConnection extends Error {
  override readonly name = 'StaleConnection';
}

function attempt(
  request: WebhookRequest,
  { host, port }: Address,
  agents: Agents,
  mayBeKept: boolean,
  proof: Proof | undefined,
): Promise<WebhookHttpAnswer> {
  const { endpoint, method, path, body, signal } = request;
  const { promise, resolve, reject } = Promise.withResolvers<WebhookHttpAnswer>();
  const isPlain = endpoint.origin.startsWith('http:');
  const outgoing = (isPlain ? http : https).request({
    ...(isPlain
      ? { agent: agents.plain }
      : {
          ...tlsOf(endpoint, proof?.certificate),
          agent: mayBeKept ? agents.kept : agents.fresh(),
        }),
    host,
    port,
    method,
    path,
    signal,
    headers: {
      host: new URL(endpoint.origin).host,
      ...headersOf(request, proof),
    },
  });
  let isAnswered = false;
  outgoing.on('error', (failure) => {
    // From then on a failure concerns the response.
    if (isAnswered) return;
    if (signal.aborted) reject(signal.reason);
    else if (outgoing.reusedSocket && mayBeKept) reject(new StaleConnection());
    else reject(new WebhookDialError(goFailureText(failure, host, port), { cause: failure }));
  });
  outgoing.once('response', (incoming) => {
    isAnswered = true;
    readBody(incoming, incoming.headers['content-encoding'], request).then(
      (text) =>
        resolve({
          status: incoming.statusCode ?? 0,
          header: (name) => first(incoming.headers[name]),
          body: text,
        }),
      (failure: Error) => reject(signal.aborted ? brokenOff(signal) : failure),
    );
  });
  outgoing.end(body);
  return promise;
}

const first = (value: string | readonly string[] | undefined): string | undefined =>
  typeof value === 'string' || value === undefined ? value : value[0];

const brokenOff = ({ reason }: AbortSignal): Error => new Error(messageOf(reason));

const tlsOf = (
  { host, authorities }: WebhookEndpoint,
  certificate: ClientCertificate | undefined,
): https.RequestOptions => ({
  ...trusting(authorities),
  ...(isIP(host) === 0 && { servername: host }),
  ...(certificate && { cert: certificate.certificate, key: certificate.key }),
});

/** @throws Error with Go's message for a response that ends too early */
async function readBody(
  stream: Readable,
  encoding: string | string[] | undefined,
  limits: ReadAnswerOptions,
): Promise<string> {
  // Pieces are decompressed as they are read, in another thread. The reader of the last stream sees the failure.
  const pieces = encoding === 'gzip' ? pipeline(stream, await gunzip(), () => undefined) : stream;
  try {
    return utf8.decode(await readAnswer(pieces as AsyncIterable<Uint8Array>, limits));
  } catch (failure) {
    if (failure instanceof AnswerTooLong) throw failure;
    const isCorrupt = (failure as NodeJS.ErrnoException).code === 'Z_DATA_ERROR';
    throw new Error(isCorrupt ? 'gzip: invalid header' : 'unexpected EOF', { cause: failure });
  }
}

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

const gunzip = async (): Promise<Transform> => {
  const { createGunzip } = await inWallTime(() => import('node:zlib'));
  return createGunzip({ chunkSize: 64 * 1024 });
};

/** HTTP/2 sessions to those webhooks on this machine that support it. */
class LocalSessions {
  readonly #places = new Map<string, Connections>();
  readonly #dial: Dial | undefined;

  constructor(dial: Dial | undefined) {
    this.#dial = dial;
  }

  /** Undefined if the endpoint supports only HTTP/1.1. */
  async sessionTo(endpoint: WebhookEndpoint, signal: AbortSignal): Promise<ClientHttp2Session | undefined> {
    const { host, port } = endpoint;
    try {
      return await unlessAborted(signal, this.#place(endpoint).session());
    } catch (failure) {
      if (signal.aborted) throw signal.reason;
      throw new WebhookDialError(goFailureText(failure, host, port), { cause: failure });
    }
  }

  close(): void {
    for (const place of this.#places.values()) detach(place.close());
    this.#places.clear();
  }

  #place({ origin, authorities, credentials }: WebhookEndpoint): Connections {
    const key = `${origin}\n${authorities}\n${credentials?.name ?? ''}`;
    let place = this.#places.get(key);
    if (place === undefined) {
      if (this.#places.size >= localPlacesMax) this.close();
      const ca = authorities === '' ? {} : { certificateAuthority: authorities };
      place = new Connections(new URL(origin), {
        server: origin,
        ...ca,
        dial: this.#dial,
        ...(credentials && { credentials }),
      });
      this.#places.set(key, place);
    }
    return place;
  }
}

function overHttp2(
  session: ClientHttp2Session,
  request: WebhookRequest,
  proof: Proof | undefined,
): Promise<WebhookHttpAnswer> {
  const { endpoint, method, path, body, signal } = request;
  const { promise, resolve, reject } = Promise.withResolvers<WebhookHttpAnswer>();
  const stream = session.request({
    ...headersOf(request, proof),
    ':method': method,
    ':path': path,
    ':authority': new URL(endpoint.origin).host,
  });
  let isAnswered = false;
  const stop = () => stream.destroy(signal.reason as Error);
  signal.addEventListener('abort', stop, { once: true });
  stream.once('close', () => {
    signal.removeEventListener('abort', stop);
    if (!isAnswered) reject(new WebhookDialError(streamErrorText(stream)));
  });
  stream.on('error', (failure) => {
    // From then on a failure concerns the response.
    if (isAnswered) return;
    if (signal.aborted) reject(signal.reason);
    else
      reject(new WebhookDialError(goFailureText(failure, endpoint.host, endpoint.port), { cause: failure }));
  });
  stream.once('response', (headers) => {
    isAnswered = true;
    readBody(stream, headers['content-encoding'], request).then(
      (text) => {
        const length = Number(headers['content-length'] ?? 0);
        if (method === 'POST' && Buffer.byteLength(text) < length) reject(new Error(streamErrorText(stream)));
        else
          resolve({ status: Number(headers[':status']), header: (name) => first(headers[name]), body: text });
      },
      (failure: Error) => reject(signal.aborted ? brokenOff(signal) : failure),
    );
  });
  stream.end(body);
  return promise;
}

const streamCodes = [
  'NO_ERROR',
  'PROTOCOL_ERROR',
  'INTERNAL_ERROR',
  'FLOW_CONTROL_ERROR',
  'SETTINGS_TIMEOUT',
];
const moreStreamCodes = [
  'STREAM_CLOSED',
  'FRAME_SIZE_ERROR',
  'REFUSED_STREAM',
  'CANCEL',
  'COMPRESSION_ERROR',
];

function streamErrorText({ id, rstCode }: ClientHttp2Stream): string {
  const code =
    [...streamCodes, ...moreStreamCodes][rstCode] ?? `unknown error code 0x${rstCode.toString(16)}`;
  return `stream error: stream ID ${id}; ${code}; received from peer`;
}
