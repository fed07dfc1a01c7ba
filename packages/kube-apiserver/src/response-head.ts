/** Reads the head of a response on an outgoing connection without consuming more. */
import type { Socket } from 'node:net';

/** A longer head is not a response of a kubelet or a proxy. */
const headBytesMax = 64 * 1024;

export interface ResponseHead {
  readonly status: number;
  /** `503 Service Unavailable` */
  readonly statusLine: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The bytes received after the head. */
  readonly rest: Buffer;
}

/**
 * Leaves the connection as if it had not been read: it flows again when a listener is added.
 * @throws Error when the connection ends first, or the head is too long
 */
export async function readResponseHead(socket: Socket): Promise<ResponseHead> {
  const { head, rest } = await readHead(socket);
  return { ...parseHead(head), rest };
}

function readHead(socket: Socket): Promise<{ head: string; rest: Buffer }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ head: string; rest: Buffer }>();
  let seen = Buffer.alloc(0);
  const gone = () => reject(new Error('unexpected EOF'));
  const take = () => {
    for (let chunk: Buffer | null; (chunk = socket.read() as Buffer | null) !== null;) {
      seen = Buffer.concat([seen, chunk]);
      const end = seen.indexOf('\r\n\r\n');
      if (end >= 0) return resolve({ head: seen.toString('latin1', 0, end), rest: seen.subarray(end + 4) });
      if (seen.length > headBytesMax) return reject(new Error('the head of the answer is too long'));
    }
  };
  socket.on('readable', take).once('end', gone).once('close', gone).once('error', reject);
  take();
  return promise.finally(() =>
    socket.off('readable', take).off('end', gone).off('close', gone).off('error', reject),
  );
}

function parseHead(head: string): Omit<ResponseHead, 'rest'> {
  const [start = '', ...lines] = head.split('\r\n');
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const colon = line.indexOf(':');
    if (colon > 0) headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim();
  }
  const statusLine = start.slice(start.indexOf(' ') + 1);
  return { status: Number(statusLine.split(' ')[0]), statusLine, headers };
}
