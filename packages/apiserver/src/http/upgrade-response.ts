import type { Duplex } from 'node:stream';
import type { UpgradeReply } from '@coxswain/streaming';
import { utf8, type ApiResponse } from './api-response.ts';

/** Converts a reply of the streaming protocols to a response of this server. */
export function upgradeResponse(reply: UpgradeReply): ApiResponse {
  if ('accept' in reply) {
    const { status, headers, accept } = reply;
    return {
      status,
      headers: { ...headers },
      body: { kind: 'upgrade', accept: (socket, head) => accept(socket as Duplex, head) },
    };
  }
  const { status, headers, text } = reply;
  return {
    status,
    headers: { 'content-type': 'text/plain; charset=utf-8', ...headers },
    body: { kind: 'bytes', bytes: utf8(text) },
  };
}
