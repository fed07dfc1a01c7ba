/** Port forwarding between a client that sends SPDY inside a WebSocket and a server that expects plain SPDY. */
import { joinSockets } from '../join-sockets.ts';
import type { AskForSpdy } from '../spdy/ask-for-spdy.ts';
import { refusal, type RequestHeaders, type UpgradeReply } from '../upgrade-reply.ts';
import { acceptHeaders } from '../websocket/handshake.ts';
import { webSocketTunnel } from '../websocket/tunnel.ts';
import { tunnelPrefix, tunnelProtocols } from './protocols.ts';

/**
 * Connects to the server first, so that the client receives its refusal unchanged. @throws Error if the server cannot
 * be reached
 */
export async function tunnelPortForward(headers: RequestHeaders, ask: AskForSpdy): Promise<UpgradeReply> {
  const wanted = tunnelProtocols(headers);
  const answer = await ask(wanted.map((name) => name.slice(tunnelPrefix.length)));
  if (!('socket' in answer)) return answer;
  const chosen = tunnelPrefix + answer.protocol;
  const accepted = acceptHeaders(headers, wanted.includes(chosen) ? chosen : '');
  if (accepted === undefined) {
    answer.socket.destroy();
    return refusal(400, 'Bad Request');
  }
  return {
    status: 101,
    headers: accepted,
    accept(socket, head) {
      const tunnel = webSocketTunnel({ socket, head, side: 'server' });
      joinSockets({ socket: tunnel, head: new Uint8Array(0) }, answer);
    },
  };
}
