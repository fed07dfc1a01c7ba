/**
 * Admits only requests from this server's pages in a browser that has a session. Other sites are excluded in three
 * ways: by the Host header (a foreign name that resolves to this machine is refused), by their origin, and by the
 * cookie, which browsers don't send across sites. To a browser, other ports of this machine are the same site, so only
 * the origin distinguishes them.
 */

import type { IncomingHttpHeaders } from 'node:http';

/** The prefix of the cluster's API. */
export const clusterPrefix = '/cluster/';

/** A WebSocket for all of a page's watches. */
export const streamsPath = '/streams';

/** A header that the page's scripts send, and that forms and links of other sites cannot. */
const pageHeader = 'x-coxswain-ui';

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly isUpgrade: boolean;
}

export interface Refusal {
  readonly status: 400 | 401 | 403 | 405 | 421;
  readonly text: string;
}

export const hostsOf = (port: number): ReadonlySet<string> =>
  new Set(['127.0.0.1', 'localhost', '[::1]'].map((host) => (port === 80 ? host : `${host}:${port}`)));

/** Undefined if the request is admitted. */
export function guard(
  asked: Asked,
  hosts: ReadonlySet<string>,
  hasSession: (cookies: ReadonlyMap<string, string>) => boolean,
): Refusal | undefined {
  const { headers, method, path, isUpgrade } = asked;
  const { host = '', origin } = headers;
  if (!hosts.has(host)) return { status: 421, text: 'This page is served at another address' };
  if (origin === undefined ? isUpgrade : origin !== `http://${host}`)
    return { status: 403, text: 'Requests of other sites are refused' };
  if (isForeign(asked)) return { status: 403, text: 'Requests of other sites are refused' };
  if (!hasSession(cookiesOf(headers))) return { status: 401, text: signInText };
  const isOfCluster = path.startsWith(clusterPrefix);
  if (isOfCluster && !isUpgrade && headers[pageHeader] === undefined)
    return { status: 400, text: `The header ${pageHeader} is missing` };
  if (!isOfCluster && method !== 'GET' && method !== 'HEAD')
    return { status: 405, text: 'Pages can only be read' };
  return undefined;
}

/** How to get a session. */
const signInText =
  'Open this page with the link that "coxswain up" or "coxswain ui" prints. Each link works once; run "coxswain ui" for a new one';

/** Uses the browser's fetch metadata. Requests from other sites may only navigate here, as through a link. */
function isForeign({ headers, method, path }: Asked): boolean {
  const from = headers['sec-fetch-site'];
  if (from === undefined || from === 'same-origin' || from === 'none') return false;
  const isVisit = method === 'GET' && headers['sec-fetch-dest'] === 'document';
  return !isVisit || path.startsWith(clusterPrefix);
}

function cookiesOf({ cookie = '' }: IncomingHttpHeaders): ReadonlyMap<string, string> {
  const pairs = cookie.split(';').map((pair) => {
    const [name = '', ...value] = pair.trim().split('=');
    return [name, value.join('=')] as const;
  });
  return new Map(pairs);
}
