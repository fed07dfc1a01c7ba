/** The client's side of port forwarding: one connection to the pod, a pair of streams for each local one. */
import { bytesOf } from '../bytes-of.ts';
import type { Duplex } from 'node:stream';
import { SpdyConnection } from '../spdy/spdy-connection.ts';

export interface PortForwardConnection {
  /** Opens the streams of one connection to a port of the pod. @throws Error when the pod is gone */
  forward(port: number): Promise<ForwardedStreams>;
  readonly closed: Promise<void>;
  close(): void;
}

export interface ForwardedStreams {
  readonly data: Duplex;
  /** What the kubelet says of it in the end; empty when all went well. */
  readonly failure: Promise<string>;
}

/** `socket` carries SPDY, on its own or through a WebSocket. */
export function portForwardOver(socket: Duplex, head?: Uint8Array): PortForwardConnection {
  const connection = new SpdyConnection({ socket, ...(head && { head }), side: 'client' });
  let requests = 0;
  return {
    async forward(port) {
      const shared = { port: String(port), requestid: String(requests++) };
      const error = await connection.open({ streamtype: 'error', ...shared });
      // Nothing is ever said to it.
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
    // A reset comes after what was told.
  }
  return text;
}
