/** Selects the protocol version for SPDY: the first of the client's versions that is supported. */
import {
  refusal,
  spdyName,
  versionHeader,
  type RequestHeaders,
  type UpgradeReply,
} from '../upgrade-reply.ts';
import { textOf } from '../websocket/handshake.ts';

export function negotiateSpdy(
  headers: RequestHeaders,
  served: readonly string[],
): { readonly protocol: string } | UpgradeReply {
  if (headers[versionHeader] === undefined) {
    const count = Object.keys(headers).length;
    const name = 'X-Stream-Protocol-Version';
    return refusal(400, `unable to upgrade: header ${name} does not exist in request with ${count} headers`);
  }
  const wanted = textOf(headers, versionHeader)
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  const protocol = wanted.find((name) => served.includes(name));
  if (protocol === undefined) {
    const lists = `client supports [${wanted.join(' ')}], server accepts [${served.join(' ')}]`;
    return {
      status: 403,
      headers: { 'x-accepted-stream-protocol-versions': served },
      text: `unable to upgrade: unable to negotiate protocol: ${lists}\n`,
    };
  }
  const asksForSpdy = new RegExp(spdyName, 'i').test(textOf(headers, 'upgrade'));
  return asksForSpdy ? { protocol } : refusal(400, 'unable to upgrade: missing upgrade headers in request');
}
