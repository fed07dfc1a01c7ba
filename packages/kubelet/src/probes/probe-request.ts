/** The GET requests of probes and hooks, independent of the transport. */
import { kubeletVersion } from '../node/node-object.ts';
import { urlOf, type HttpTarget } from './probe-target.ts';

export interface HttpAnswer {
  readonly status: number;
  readonly body: string;
}

/** The head of a response; the body is read only on request. */
export interface HttpResponse {
  readonly status: number;
  readonly location: string | undefined;
  body(): Promise<string>;
  /** Discards the body. */
  discard(): void;
}

/** The limit for the body of a response. */
export const bodyBytesMax = 10 * 1024;
const redirectsMax = 10;

/** Follows redirects within the host; one to another host counts as the answer. @throws Error, also from `send` */
export async function following(
  target: HttpTarget,
  send: (url: string) => Promise<HttpResponse>,
): Promise<HttpAnswer> {
  let url = urlOf(target);
  for (let redirects = 0; ; redirects++) {
    const { status, location, body, discard } = await send(url);
    if (status < 300 || status >= 400 || location === undefined) return { status, body: await body() };
    discard();
    const next = new URL(location, url);
    if (next.hostname !== new URL(url).hostname) return { status, body: '' };
    if (redirects === redirectsMax) throw new Error('stopped after 10 redirects');
    url = next.href;
  }
}

/** By lower-case name. @param userAgent `kube-probe`, `kube-lifecycle` */
export function probeHeaders({ headers }: HttpTarget, userAgent: string): Readonly<Record<string, string>> {
  const version = kubeletVersion.replace(/^v(\d+\.\d+).*/, '$1');
  const own = Object.fromEntries(headers.map(({ name, value }) => [name.toLowerCase(), value]));
  return { 'user-agent': `${userAgent}/${version}`, accept: '*/*', connection: 'close', ...own };
}

export const requestTimeout = 'context deadline exceeded (Client.Timeout exceeded while awaiting headers)';
