/** A GET as probes and hooks send it. */
import { request as requestHttp, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import { kubeletVersion } from '../node/node-object.ts';
import { hostAndPort, urlOf, type HttpTarget } from './probe-target.ts';

export interface HttpAnswer {
  readonly status: number;
  readonly body: string;
}

const bodyBytesMax = 10 * 1024;
const redirectsMax = 10;

/**
 * Redirects within the host are followed; one that leads elsewhere is an answer.
 * @throws Error in the words of Go's client
 */
export async function httpGet(
  target: HttpTarget,
  timeoutMs: number,
  userAgent = 'kube-probe',
): Promise<HttpAnswer> {
  const version = kubeletVersion.replace(/^v(\d+\.\d+).*/, '$1');
  const own = Object.fromEntries(target.headers.map(({ name, value }) => [name.toLowerCase(), value]));
  const headers = { 'user-agent': `${userAgent}/${version}`, accept: '*/*', connection: 'close', ...own };
  const signal = AbortSignal.timeout(timeoutMs);
  let url = urlOf(target);
  try {
    for (let redirects = 0; ; redirects++) {
      const answer = await send(url, headers, signal);
      const location = answer.headers.location;
      const status = answer.statusCode ?? 0;
      if (status < 300 || status >= 400 || location === undefined)
        return { status, body: await bodyOf(answer) };
      answer.destroy();
      const next = new URL(location, url);
      if (next.hostname !== new URL(url).hostname) return { status, body: '' };
      if (redirects === redirectsMax) throw new Error('stopped after 10 redirects');
      url = next.href;
    }
  } catch (error) {
    const why = signal.aborted
      ? 'context deadline exceeded (Client.Timeout exceeded while awaiting headers)'
      : connectFailure(error, target.host, target.port);
    throw new Error(`Get "${url}": ${why}`, { cause: error });
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
