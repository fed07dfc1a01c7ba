/**
 * Bearer tokens of a request: `Authorization: Bearer …`, or a WebSocket protocol for browsers that cannot set the
 * header.
 */
import type { ApiRequest } from '../http/api-request.ts';
import { asksForWebSocket } from '../http/upgrade.ts';
import {
  absent,
  refused,
  type Authentication,
  type Authenticator,
  type MaybeAuthentication,
  type TokenAuthenticator,
} from './authenticator.ts';

/** @param audiences the server's own audiences */
export const bearerToken = (tokens: TokenAuthenticator, audiences: readonly string[]): Authenticator => ({
  name: 'bearer-token',
  authenticate(request) {
    const header = request.header('authorization');
    if (header === undefined) return absent;
    const token = tokenIn(header);
    if (token === '') request.warn(strayBlank);
    return token ? orUnknown(tokens.authenticateToken(token, audiences)) : absent;
  },
});

const strayBlank =
  'the provided Authorization header contains extra space before the bearer token, and is ignored';

/** Empty when more than one space precedes the token; whatever follows the token is ignored. */
export function tokenIn(header: string): string | undefined {
  const plain = /^bearer ([^\s]+)$/i.exec(header);
  if (plain !== null) return plain[1];
  const [scheme, token] = header.trim().split(' ', 2);
  return scheme!.toLowerCase() === 'bearer' ? token : undefined;
}

/** An unknown token does not make a request anonymous: it is refused. */
export function orUnknown(found: MaybeAuthentication): MaybeAuthentication {
  return found instanceof Promise ? found.then(refuseUnknown) : refuseUnknown(found);
}

export const unknownToken = refused('invalid bearer token');

const refuseUnknown = (found: Authentication): Authentication =>
  found.kind === 'absent' ? unknownToken : found;

const protocolPrefix = 'base64url.bearer.authorization.k8s.io.';

/** The WebSocket protocols carry the token and at least one more protocol, which can be negotiated. */
export const webSocketToken = (tokens: TokenAuthenticator, audiences: readonly string[]): Authenticator => ({
  name: 'websocket-token',
  authenticate(request) {
    if (request.headers['sec-websocket-protocol'] === undefined || !asksForWebSocket(request.headers)) {
      return absent;
    }
    const found = tokenAmongProtocols(request);
    if (typeof found !== 'string') return found;
    return orUnknown(tokens.authenticateToken(found, audiences));
  },
});

function tokenAmongProtocols(request: ApiRequest): string | Authentication {
  const protocols = request
    .headerValues('sec-websocket-protocol')
    .flatMap((value) => value.split(','))
    .map((protocol) => protocol.trim());
  const carrying = protocols.filter((protocol) => protocol.startsWith(protocolPrefix));
  if (carrying.length > 1) return refused('multiple base64.bearer.authorization tokens specified');
  if (carrying.length === 0) return absent;
  const encoded = carrying[0]!.slice(protocolPrefix.length);
  const bytes = /^[\w-]*$/.test(encoded) && encoded.length % 4 !== 1 ? decode(encoded) : undefined;
  if (bytes === undefined) return refused('invalid base64.bearer.authorization token encoding');
  const token = textOf(bytes);
  if (token === undefined) return refused('invalid base64.bearer.authorization token');
  if (token === '') return absent;
  return protocols.length > 1 ? token : refused('missing additional subprotocol');
}

function decode(encoded: string): Uint8Array | undefined {
  try {
    return Uint8Array.fromBase64(encoded, { alphabet: 'base64url' });
  } catch {
    return undefined;
  }
}

function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
