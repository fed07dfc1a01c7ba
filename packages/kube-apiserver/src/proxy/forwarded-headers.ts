/** What a request and an answer take along through a proxy. */
import type { ApiRequest, ResponseHeaders } from '@coxswain/apiserver';

/** Meant for the next hop only (RFC 9110, 7.6.1). */
const hopByHop = new Set([
  'connection',
  'proxy-connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'http2-settings',
]);

type Headers = Record<string, string | readonly string[]>;

/** Credentials of the client stay here, since authentication has taken them off in the original. */
const ownToThisServer = new Set(['authorization', 'host', ...impersonation()]);

/** Without what is meant for this server; an upgrade keeps what asks for it. */
export function requestHeaders(request: ApiRequest, isUpgrade: boolean): Headers {
  const { address } = request.incoming.peer;
  const before = request.header('x-forwarded-for');
  const kept = Object.entries(request.headers).filter(
    ([name]) => !name.startsWith(':') && !ownToThisServer.has(name) && !hopByHop.has(name),
  ) as [string, string | readonly string[]][];
  return {
    ...Object.fromEntries(kept),
    ...(isUpgrade && { connection: 'Upgrade', upgrade: request.header('upgrade') ?? '' }),
    ...(address !== '' && { 'x-forwarded-for': before === undefined ? address : `${before}, ${address}` }),
  };
}

export function responseHeaders(headers: Readonly<Record<string, string | string[] | undefined>>) {
  const kept: ResponseHeaders = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && !hopByHop.has(name)) kept[name] = value;
  }
  return kept;
}

function impersonation(): string[] {
  return ['impersonate-user', 'impersonate-group', 'impersonate-uid'];
}
