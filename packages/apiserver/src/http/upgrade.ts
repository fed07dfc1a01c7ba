import type { RequestHeaders } from './api-request.ts';

/**
 * Whether a request over HTTP/1.1 asks for a protocol that streams are served in. Anything else in the header
 * is passed over, as Go does, and the request is served as it stands.
 */
export const asksForUpgrade = ({ connection, upgrade }: RequestHeaders): boolean =>
  /\bupgrade\b/i.test(String(connection ?? '')) && /^(websocket|spdy\/3\.1)$/i.test(String(upgrade ?? ''));

export const asksForWebSocket = (headers: RequestHeaders): boolean =>
  headers['upgrade'] !== undefined &&
  asksForUpgrade(headers) &&
  /^websocket$/i.test(String(headers['upgrade']));
