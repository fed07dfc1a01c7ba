/** Sends the GET requests of probes and hooks over the network of this machine. */
import { request as requestHttp, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import { bodyBytesMax, following, probeHeaders, requestTimeout, type HttpAnswer } from './probe-request.ts';
import { hostAndPort, urlOf, type HttpTarget } from './probe-target.ts';

/**
 * Follows redirects within the host; one to another host counts as the answer.
 * @throws Error with the message of Go's client
 */
export async function httpGet(
  target: HttpTarget,
  timeoutMs: number,
  userAgent = 'kube-probe',
): Promise<HttpAnswer> {
  const headers = probeHeaders(target, userAgent);
  const signal = AbortSignal.timeout(timeoutMs);
  let asked = urlOf(target);
  try {
    return await following(target, async (url) => {
      asked = url;
      const answer = await send(url, headers, signal);
      return {
        status: answer.statusCode ?? 0,
        location: answer.headers.location,
        body: () => bodyOf(answer),
        discard: () => void answer.destroy(),
      };
    });
  } catch (error) {
    const why = signal.aborted ? requestTimeout : connectFailure(error, target.host, target.port);
    throw new Error(`Get "${asked}": ${why}`, { cause: error });
  }
}

function send(
  url: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const options = { headers, signal, agent: false } as const;
    const request = url.startsWith('https:')
      ? requestHttps(url, { ...options, rejectUnauthorized: false })
      : requestHttp(url, options);
    request.once('response', resolve).once('error', reject).end();
  });
}

async function bodyOf(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of answer) {
    chunks.push(chunk as Buffer);
    bytes += (chunk as Buffer).length;
    if (bytes >= bodyBytesMax) break;
  }
  return Buffer.concat(chunks).toString('utf8', 0, bodyBytesMax);
}

/** `dial tcp 10.0.0.1:80: connect: connection refused` */
export function connectFailure(error: unknown, host: string, port: number): string {
  const { code = '', message = String(error) } = error as { code?: string; message?: string };
  const place = hostAndPort(host, port);
  const known = dialFailures[code];
  if (known !== undefined) return `dial tcp ${place}: ${known}`;
  return code === 'ECONNRESET' ? 'EOF' : message;
}

const dialFailures: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connect: connection refused',
  EHOSTUNREACH: 'connect: no route to host',
  ENETUNREACH: 'connect: network is unreachable',
  ETIMEDOUT: 'i/o timeout',
};
