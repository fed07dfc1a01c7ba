/** Both ends of a connection in this process, without a socket; the client's end works frame by frame. */
import { Duplex } from 'node:stream';
import { ManualClock } from '@coxswain/apimachinery';
import { frameHeadBytes, frameOf, frameTypes, flags, preface } from '../frames/frame.ts';
import { FrameReader } from '../frames/frame-reader.ts';
import { HpackEncoder } from '../hpack/encoder.ts';
import { ServerConnection, type ServerConnectionOptions } from '../server-connection.ts';

export interface SeenFrame {
  readonly type: number;
  readonly flags: number;
  readonly streamId: number;
  readonly payload: Buffer;
}

export type Fields = Readonly<Record<string, string | readonly string[]>>;

/** Encodes a header block as a client that does not use its table. */
export function blockOf(fields: Fields): Buffer {
  const encoder = new HpackEncoder();
  encoder.setTableBytes(0);
  const target = Buffer.alloc(encoder.bytesMost(fields) + 1);
  return target.subarray(1, encoder.encode(target, 0, undefined, fields));
}

export const getFields = { ':method': 'GET', ':scheme': 'https', ':path': '/a', ':authority': 'a' } as const;
export const postFields = { ...getFields, ':method': 'POST' } as const;

export const whole = flags.endHeaders | flags.endStream;

export const numbers = (...values: readonly number[]): Buffer =>
  Buffer.concat(
    values.map((value) => {
      const bytes = Buffer.alloc(4);
      bytes.writeUInt32BE(value);
      return bytes;
    }),
  );

export function connected(
  options: Partial<ServerConnectionOptions> & Pick<ServerConnectionOptions, 'onStream'>,
) {
  const reader = new FrameReader(2 ** 24 - 1);
  reader.push(preface);
  const frames: SeenFrame[] = [];
  let isOver = false;
  const socket = new Duplex({
    read: () => undefined,
    write(chunk: Buffer, _, done) {
      reader.push(chunk);
      for (let frame = reader.next(); frame !== undefined; frame = reader.next()) {
        const { type, flags: bits, streamId, bytes, start, end } = frame;
        frames.push({ type, flags: bits, streamId, payload: Buffer.from(bytes.subarray(start, end)) });
      }
      done();
    },
    final(done) {
      isOver = true;
      done();
    },
  });
  const clock = new ManualClock();
  const faults: unknown[] = [];
  const connection = new ServerConnection(socket, {
    clock,
    streamsMax: 100,
    onFault: (failure) => faults.push(failure),
    ...options,
  });
  socket.push(preface);
  socket.push(frameOf(frameTypes.settings, 0, 0, 0));
  const send = (
    type: number,
    bits: number,
    streamId: number,
    payload: Uint8Array = Buffer.alloc(0),
  ): void => {
    const frame = frameOf(type, bits, streamId, payload.length);
    frame.set(payload, frameHeadBytes);
    socket.push(frame);
  };
  return {
    connection,
    clock,
    frames,
    faults,
    socket,
    /** The server has sent its last frame. */
    isOver: () => isOver,
    send,
    ask: (id: number, fields: Fields = getFields, bits: number = whole) =>
      send(frameTypes.headers, bits, id, blockOf(fields)),
    of: (type: number, streamId?: number) =>
      frames.filter((frame) => frame.type === type && (streamId ?? frame.streamId) === frame.streamId),
    /** The first frame that matches, received already or later. */
    async until(isThere: (frame: SeenFrame) => boolean): Promise<SeenFrame> {
      for (;;) {
        const found = frames.find(isThere);
        if (found !== undefined) return found;
        await turn();
      }
    },
    /** Resolves when everything sent so far was processed. */
    async settled(): Promise<void> {
      for (let turns = 0; turns < 4; turns++) await turn();
    },
  };
}

const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));
