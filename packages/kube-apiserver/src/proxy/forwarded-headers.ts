/** The headers that a request and a response keep through a proxy. */
import { outgoingTraceParent } from '@coxswain/apiserver/tracing/outgoing-trace.ts';
import type { ApiRequest, ResponseHeaders, UserInfo } from '@coxswain/apiserver';

/** Only for the next hop (RFC 9110, 7.6.1). */
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

/** The client's credentials are not forwarded, since upstream's authentication removes them. */
const ownToThisServer = new Set(['authorization', 'host']);

/**
 * Removes headers meant for this server; an upgrade keeps those that request it.
 * @param user the user to report to an extension server; clients' own such headers are removed
 */
export function requestHeaders(request: ApiRequest, isUpgrade: boolean, user?: UserInfo): Headers {
  const { address } = request.incoming.peer;
  const before = request.header('x-forwarded-for');
  const traceParent = outgoingTraceParent(request);
  const kept = Object.entries(request.headers).filter(
    ([name]) =>
      !name.startsWith(':') &&
      !ownToThisServer.has(name) &&
      !hopByHop.has(name) &&
      !name.startsWith('x-remote-') &&
      !name.startsWith('impersonate-'),
  ) as [string, string | readonly string[]][];
  return {
    ...Object.fromEntries(kept),
    ...(traceParent !== undefined && { traceparent: traceParent }),
    ...(isUpgrade && { connection: 'Upgrade', upgrade: request.header('upgrade') ?? '' }),
    ...(address !== '' && { 'x-forwarded-for': before === undefined ? address : `${before}, ${address}` }),
    ...(user !== undefined && {
      ...userHeaders(user),
      ...(request.auditId && { 'audit-id': request.auditId }),
    }),
  };
}

const userHeaders = ({ name, uid, groups, extra = {} }: UserInfo): Headers => ({
  'x-remote-user': name,
  ...(uid && { 'x-remote-uid': uid }),
  ...(groups.length > 0 && { 'x-remote-group': groups }),
  ...Object.fromEntries(
    Object.entries(extra).map(([key, values]) => [`x-remote-extra-${escapedKey(key)}`, values]),
  ),
});

/** Characters that a header name cannot contain are percent-encoded, including the percent sign. */
const escapedKey = (key: string): string =>
  [...key].map((one) => (/[\w!#$&'*+.^`|~-]/.test(one) ? one : encodedBytes(one))).join('');

const encodedBytes = (text: string): string =>
  [...new TextEncoder().encode(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');

export function responseHeaders(headers: Readonly<Record<string, string | string[] | undefined>>) {
  const kept: ResponseHeaders = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && !hopByHop.has(name)) kept[name] = value;
  }
  return kept;
}
