/** Port forwarding: what both sides agree on. */
import type { RequestHeaders } from '../upgrade-reply.ts';
import { isWebSocketRequest, requestedProtocols } from '../websocket/handshake.ts';

export const portForwardProtocol = 'portforward.k8s.io';

/** Before the name of a protocol that runs over SPDY, where SPDY itself runs inside of a WebSocket. */
export const tunnelPrefix = 'SPDY/3.1+';

export const tunnelProtocols = (headers: RequestHeaders): readonly string[] =>
  requestedProtocols(headers).filter((name) => name.startsWith(tunnelPrefix) && name.endsWith('.k8s.io'));

export const asksForTunnel = (headers: RequestHeaders): boolean =>
  isWebSocketRequest(headers) && tunnelProtocols(headers).length > 0;
