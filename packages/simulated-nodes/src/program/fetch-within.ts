/** `fetch` on the network of a simulated cluster. */

import { unlessAborted, type Clock } from '@coxswain/apimachinery';
import { inWallTime } from '@coxswain/apimachinery/wall-time.ts';
import { requestBytesMax } from '../network/http-connection.ts';
import { hasBody, statusTexts, type HttpAnswer } from '../network/http-message.ts';
import { ConnectionReset, NetworkFailure, NoResponse, type PodNetwork } from '../network/pod-network.ts';
import { connectMs, resolveMs } from '../process/response-timeouts.ts';

const redirectsMax = 20;

export interface FetchParts {
  readonly network: PodNetwork;
  readonly clock: Clock;
  /** The sender's signal: nobody awaits the response anymore. */
  readonly signal: AbortSignal;
}

/** @throws TypeError `fetch failed` whose cause gives the reason, as Node does, or the reason of a signal */
export async function fetchWithin(parts: FetchParts, request: Request): Promise<Response> {
  // Reading a body takes turns of the event loop, but no time of the cluster.
  const body = new Uint8Array(await inWallTime(() => request.arrayBuffer()));
  if (body.length > requestBytesMax) throw failed('ECONNRESET', 'socket hang up');
  const signal = AbortSignal.any([parts.signal, request.signal]);
  return unlessAborted(signal, exchange({ ...parts, signal }, request, body));
}

async function exchange(parts: FetchParts, request: Request, body: Uint8Array): Promise<Response> {
  let url = new URL(request.url);
  let { method } = request;
  let content = body;
  for (let redirects = 0; ; redirects++) {
    const answer = await sendTo(parts, url, method, [...request.headers], content);
    const location = answer.headers.find(([name]) => name.toLowerCase() === 'location')?.[1];
    const isRedirect = [301, 302, 303, 307, 308].includes(answer.status) && location !== undefined;
    if (!isRedirect || request.redirect === 'manual') return responseOf(answer);
    if (request.redirect === 'error' || redirects === redirectsMax)
      throw failed('UND_ERR', redirects === redirectsMax ? 'redirect count exceeded' : 'unexpected redirect');
    url = new URL(location, url);
    if (answer.status === 303 || (answer.status < 307 && method === 'POST')) {
      method = 'GET';
      content = new Uint8Array(0);
    }
  }
}

async function sendTo(
  { network, clock, signal }: FetchParts,
  url: URL,
  method: string,
  headers: readonly (readonly [string, string])[],
  body: Uint8Array,
): Promise<HttpAnswer> {
  if (url.protocol !== 'http:') throw failed('ERR_INVALID_PROTOCOL', `${url.protocol} is not simulated`);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const port = Number(url.port || 80);
  let at = host;
  try {
    const found = await answered(clock, signal, resolveMs, () => network.lookUp(host));
    const ip = found?.addresses[0];
    if (ip === undefined) throw failed('ENOTFOUND', `getaddrinfo ENOTFOUND ${host}`);
    at = ip;
    const serve = await answered(clock, signal, connectMs, () => network.connect(ip, port));
    const hasHost = headers.some(([name]) => name === 'host');
    return await serve({
      method,
      path: `${url.pathname}${url.search}`,
      headers: hasHost ? headers : [['host', url.host], ...headers],
      body,
    });
  } catch (failure) {
    if (!(failure instanceof NetworkFailure)) throw failure;
    throw failed(codeOf(failure), `connect ${codeOf(failure)} ${at}:${port}`);
  }
}

/** If nobody responds, fails after `waitMs`. */
async function answered<T>(
  clock: Clock,
  signal: AbortSignal,
  waitMs: number,
  ask: () => Promise<T>,
): Promise<T> {
  try {
    return await ask();
  } catch (failure) {
    if (failure instanceof NoResponse) await clock.sleep(waitMs, signal);
    throw failure;
  }
}

const codeOf = (failure: NetworkFailure): string => {
  if (failure instanceof ConnectionReset) return 'ECONNRESET';
  if (failure instanceof NoResponse) return 'ETIMEDOUT';
  return failure.message === 'Host is unreachable' ? 'EHOSTUNREACH' : 'ECONNREFUSED';
};

const failed = (code: string, message: string): TypeError =>
  new TypeError('fetch failed', { cause: Object.assign(new Error(message), { code }) });

const responseOf = ({ status, headers, body }: HttpAnswer): Response =>
  new Response(hasBody(status) ? (body as Uint8Array<ArrayBuffer>) : null, {
    status,
    statusText: statusTexts[status] ?? '',
    headers: headers.map(([name, value]) => [name, value] as [string, string]),
  });
