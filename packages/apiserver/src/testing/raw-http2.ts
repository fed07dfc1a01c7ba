/** HTTP/2 frame by frame, for input that no well-behaved client would send. */
import { connect, type TLSSocket } from 'node:tls';

export const frameTypes = {
  data: 0,
  headers: 1,
  priority: 2,
  reset: 3,
  settings: 4,
  ping: 6,
  goAway: 7,
  windowUpdate: 8,
  continuation: 9,
} as const;

export const endStream = 1;
export const endHeaders = 4;

const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
const headBytes = 9;

export interface Frame {
  readonly type: number;
  readonly flags: number;
  readonly stream: number;
  readonly payload: Uint8Array;
}

export function frame(
  type: number,
  flags: number,
  stream: number,
  payload: Uint8Array = new Uint8Array(),
): Buffer {
  const head = Buffer.alloc(headBytes);
  head.writeUIntBE(payload.length, 0, 3);
  head.writeUInt8(type, 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

export const fourBytes = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

/** A literal header field; its name is indexed when `name` is an index of the static table. */
export function literal(name: number | string, value: string): Buffer {
  const reported = Buffer.from(value);
  if (typeof name === 'number') return Buffer.concat([Buffer.from([name, reported.length]), reported]);
  const called = Buffer.from(name);
  return Buffer.concat([Buffer.from([0, called.length]), called, Buffer.from([reported.length]), reported]);
}

/** `GET path` over https, with a token. */
export const getHeaders = (path: string, token: string): Buffer =>
  Buffer.concat([
    Buffer.from([0x82, 0x87]),
    literal(4, path),
    literal(1, 'localhost'),
    literal('authorization', `Bearer ${token}`),
  ]);

export interface RawHttp2 {
  readonly socket: TLSSocket;
  /** The frames received from the server so far. */
  readonly frames: readonly Frame[];
  /** Resolves when the server has closed the connection. */
  readonly closed: Promise<void>;
  send(...bytes: readonly Uint8Array[]): void;
}

/** @param reads whether the client reads what the server sends */
export function rawHttp2(port: number, { reads = true } = {}): Promise<RawHttp2> {
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port, rejectUnauthorized: false, ALPNProtocols: ['h2'] };
    const socket = connect(options, () => {
      socket.off('error', reject);
      socket.on('error', () => undefined);
      socket.write(Buffer.concat([preface, frame(frameTypes.settings, 0, 0)]));
      const frames: Frame[] = [];
      if (reads) collectFrames(socket, frames);
      else socket.pause();
      const closed = new Promise<void>((done) => socket.once('close', () => done()));
      resolve({ socket, frames, closed, send: (...bytes) => void socket.write(Buffer.concat(bytes)) });
    });
    socket.once('error', reject);
  });
}

function collectFrames(socket: TLSSocket, frames: Frame[]): void {
  let pending = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    pending = Buffer.concat([pending, chunk]);
    while (pending.length >= headBytes) {
      const end = headBytes + pending.readUIntBE(0, 3);
      if (pending.length < end) return;
      frames.push({
        type: pending.readUInt8(3),
        flags: pending.readUInt8(4),
        stream: pending.readUInt32BE(5),
        payload: pending.subarray(headBytes, end),
      });
      pending = pending.subarray(end);
    }
  });
}
