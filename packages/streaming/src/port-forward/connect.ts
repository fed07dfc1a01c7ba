/** The client side of port forwarding: one connection to the pod, and a pair of streams for each local connection. */
import { bytesOf } from '../bytes-of.ts';
import type { Duplex } from 'node:stream';
import { SpdyConnection } from '../spdy/spdy-connection.ts';

export interface PortForwardConnection {
  /** Opens the streams of one connection to a port of the pod. @throws Error if the pod is gone */
  forward(port: number): Promise<ForwardedStreams>;
  readonly closed: Promise<void>;
  close(): void;
}

export interface ForwardedStreams {
  readonly data: Duplex;
  /** The kubelet's final message; empty on success. */
  readonly failure: Promise<string>;
}

/** `socket` carries SPDY, either directly or inside a WebSocket. */
export function portForwardOver(socket: Duplex, head?: Uint8Array): PortForwardConnection {
  const connection = new SpdyConnection({ socket, ...(head && { head }), side: 'client' });
  let requests = 0;
  return {
    async forward(port) {
      const shared = { port: String(port), requestid: String(requests++) };
      const error = await connection.open({ streamtype: 'error', ...shared });
      // The client sends nothing on it.
      error.end();
      const failure = textOf(error);
      const data = await connection.open({ streamtype: 'data', ...shared });
      return { data, failure };
    },
    closed: connection.closed,
    close: () => connection.close(),
  };
}

const failureBytesMax = 64 * 1024;

async function textOf(stream: Duplex): Promise<string> {
  let text = '';
  try {
    for await (const chunk of bytesOf(stream)) {
      if (text.length < failureBytesMax) text += Buffer.from(chunk).toString();
    }
  } catch {
    // A reset arrives after the error message.
  }
  return text;
}
