/** The head of an answer on a connection of our own, read without taking more than it. */
import type { Socket } from 'node:net';

/** A head that is longer than this is no answer of a kubelet or a proxy. */
const headBytesMax = 64 * 1024;

export interface AnswerHead {
  readonly status: number;
  /** `503 Service Unavailable` */
  readonly statusLine: string;
  readonly headers: Readonly<Record<string, string>>;
  /** What has come behind the head. */
  readonly rest: Buffer;
}

/**
 * Leaves the connection as one that nobody has read from: it flows again when somebody listens.
 * @throws Error when it ends before, or there is no end of the head
 */
export async function readAnswerHead(socket: Socket): Promise<AnswerHead> {
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

function parseHead(head: string): Omit<AnswerHead, 'rest'> {
  const [start = '', ...lines] = head.split('\r\n');
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const colon = line.indexOf(':');
    if (colon > 0) headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim();
  }
  const statusLine = start.slice(start.indexOf(' ') + 1);
  return { status: Number(statusLine.split(' ')[0]), statusLine, headers };
}
