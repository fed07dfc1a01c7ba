/** The opening handshake of a WebSocket (RFC 6455, section 4). */
import { createHash, randomBytes } from 'node:crypto';

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

const acceptSuffix = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

const acceptOf = (key: string): string =>
  createHash('sha1')
    .update(key + acceptSuffix)
    .digest('base64');

export const isWebSocketRequest = (headers: Headers): boolean =>
  /\bupgrade\b/i.test(textOf(headers, 'connection')) && /^websocket$/i.test(textOf(headers, 'upgrade'));

/** The client's protocols, preferred first; one empty name if it sends none. */
export function requestedProtocols(headers: Headers): readonly string[] {
  const text = textOf(headers, 'sec-websocket-protocol').trim();
  return text === '' ? [''] : text.split(',').map((name) => name.trim());
}

/** The first of the client's protocols that is supported. */
export const chooseProtocol = (headers: Headers, served: readonly string[]): string | undefined =>
  requestedProtocols(headers).find((name) => served.includes(name));

/** The header of the accepting response; undefined if the request violates the protocol. */
export function acceptHeaders(headers: Headers, protocol: string): Record<string, string> | undefined {
  const key = textOf(headers, 'sec-websocket-key');
  if (key === '' || textOf(headers, 'sec-websocket-version') !== '13') return undefined;
  return {
    upgrade: 'websocket',
    connection: 'Upgrade',
    'sec-websocket-accept': acceptOf(key),
    ...(protocol !== '' && { 'sec-websocket-protocol': protocol }),
  };
}

export interface WebSocketRequest {
  readonly headers: Record<string, string>;
  /** The required value of the response header. */
  readonly accept: string;
}

export function requestHeaders(protocols: readonly string[]): WebSocketRequest {
  const key = randomBytes(16).toString('base64');
  return {
    accept: acceptOf(key),
    headers: {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': key,
      ...(protocols.length > 0 && { 'sec-websocket-protocol': protocols.join(', ') }),
    },
  };
}

export function textOf(headers: Headers, name: string): string {
  const value = headers[name];
  return typeof value === 'string' ? value : (value?.join(', ') ?? '');
}
