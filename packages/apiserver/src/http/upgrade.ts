import type { RequestHeaders } from './api-request.ts';

/**
 * Whether an HTTP/1.1 request asks for a streaming protocol. Other values of the header are ignored, as in Go, and the
 * request is served normally.
 */
export const asksForUpgrade = ({ connection, upgrade }: RequestHeaders): boolean =>
  /\bupgrade\b/i.test(String(connection ?? '')) && /^(websocket|spdy\/3\.1)$/i.test(String(upgrade ?? ''));

export const asksForWebSocket = (headers: RequestHeaders): boolean =>
  headers['upgrade'] !== undefined &&
  asksForUpgrade(headers) &&
  /^websocket$/i.test(String(headers['upgrade']));
