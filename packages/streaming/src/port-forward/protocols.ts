/** Names shared by both sides of port forwarding. */
import type { RequestHeaders } from '../upgrade-reply.ts';
import { isWebSocketRequest, requestedProtocols } from '../websocket/handshake.ts';

export const portForwardProtocol = 'portforward.k8s.io';

/** The prefix of a protocol name if SPDY runs inside a WebSocket. */
export const tunnelPrefix = 'SPDY/3.1+';

export const tunnelProtocols = (headers: RequestHeaders): readonly string[] =>
  requestedProtocols(headers).filter((name) => name.startsWith(tunnelPrefix) && name.endsWith('.k8s.io'));

export const asksForTunnel = (headers: RequestHeaders): boolean =>
  isWebSocketRequest(headers) && tunnelProtocols(headers).length > 0;
