/** Writes a response to a connection. `done` is called once, when all of it has been written. */
import type { Duplex } from 'node:stream';
import type { Clock } from '@coxswain/apimachinery';
import { atNextSlice, isContended, mayBegin } from '@coxswain/apimachinery/slices.ts';
import type { StreamSink } from '../api-response.ts';
import { giveBack } from '../blocks.ts';
import { HeldBlock } from '../unread-bodies.ts';
import { WriteCoalescer, type WriteTarget } from '../write-coalescer.ts';
import type { AnswerFraming } from './answer-head.ts';

type Done = (isWhole: boolean) => void;

/** Bodies up to this size are written together with the head. */
const joinedBytesMax = 16 * 1024;

/** The number of bytes encrypted at once while several users are served, as over HTTP/2. */
const partBytesMax = 64 * 1024;

/** The user for whom a response is written, and the clock that schedules the thread. */
export interface WrittenFor {
  readonly clock: Clock;
  readonly owner: () => string;
}

export function writeWhole(
  socket: Duplex,
  head: Buffer,
  bytes: Uint8Array,
  by: WrittenFor,
  done: Done,
): void {
  if (bytes.length > partBytesMax) return writeBlocks(socket, head, [bytes], by, done);
  if (bytes.length <= joinedBytesMax) {
    socket.write(Buffer.concat([head, bytes]));
  } else {
    socket.cork();
    socket.write(head);
    socket.write(bytes);
    socket.uncork();
  }
  done(true);
}

/** Writes as fast as the client reads and the owner's turn permits; the next block is created only then. */
export function writeBlocks(
  socket: Duplex,
  head: Buffer,
  body: Iterable<Uint8Array>,
  { clock, owner }: WrittenFor,
  done: Done,
): void {
  const blocks = body[Symbol.iterator]();
  const unread = new HeldBlock(() => socket.destroy());
  const release = (): void => unread.release();
  socket.once('close', release);
  let block: Uint8Array = new Uint8Array(0);
  let at = 0;
  /** Whether nothing follows the block, and whether the connection has taken all of it. */
  let isOver = false;
  let isWritten = true;
  const settle = (): void => {
    socket.off('close', release);
    release();
  };
  /** Returns whether more can be written at once. */
  const writePart = (): boolean => {
    if (at === block.length) {
      const next = blocks.next();
      if (next.done === true) {
        isOver = true;
        if (isWritten) settle();
        done(true);
        return false;
      }
      block = next.value;
      at = 0;
      isWritten = false;
      unread.hold(block.length);
    }
    const whole = block;
    const end = isContended(clock, clock.monotonic())
      ? Math.min(whole.length, at + partBytesMax)
      : whole.length;
    const isLast = end === whole.length;
    const part = whole.subarray(at, end);
    at = end;
    const hasRoom = socket.write(part, (failure) => {
      if (!isLast || failure) return;
      isWritten = whole === block;
      giveBack(whole);
      if (isOver && isWritten) settle();
    });
    if (!hasRoom) socket.once('drain', goOn);
    return hasRoom;
  };
  const inSlice = (): void => {
    if (!socket.destroyed && writePart()) atNextSlice(clock, owner(), inSlice);
  };
  const goOn = (): void => {
    while (!socket.destroyed) {
      if (!mayBegin(clock, owner(), clock.monotonic())) return atNextSlice(clock, owner(), inSlice);
      if (!writePart()) return;
    }
  };
  socket.write(head);
  goOn();
}

/** Returns the handlers of the connection's drain and close events. */
export function writeStream(
  socket: Duplex,
  head: Buffer,
  { framing, bytesDeclared }: { readonly framing: AnswerFraming; readonly bytesDeclared: number },
  done: Done,
): WriteCoalescer {
  // Events available at once are sent together with the head.
  socket.cork();
  process.nextTick(() => socket.uncork());
  socket.write(head);
  return new WriteCoalescer(
    framing === 'chunked' ? chunks(socket, done) : plainBytes(socket, bytesDeclared, done),
  );
}

const lastChunk = Buffer.from('0\r\n\r\n');
const lineEnd = Buffer.from('\r\n');

const chunks = (socket: Duplex, done: Done): WriteTarget => ({
  get unsentBytes() {
    return socket.writableLength;
  },
  write: (parts, bytesTotal) =>
    socket.write(Buffer.concat([Buffer.from(`${bytesTotal.toString(16)}\r\n`), ...parts, lineEnd])),
  end() {
    socket.write(lastChunk);
    done(true);
  },
  // The missing last chunk tells the client.
  abort: () => done(false),
});

/** @param bytesDeclared the length in the head; a response with fewer or more bytes was aborted */
function plainBytes(socket: Duplex, bytesDeclared: number, done: Done): WriteTarget {
  let bytesLeft = bytesDeclared;
  return {
    get unsentBytes() {
      return socket.writableLength;
    },
    write(parts, bytesTotal) {
      const bytes = Buffer.concat(parts, Math.min(bytesTotal, bytesLeft));
      bytesLeft -= bytesTotal;
      return bytes.length === 0 || socket.write(bytes);
    },
    end: () => done(bytesLeft === 0),
    // An HTTP/1.0 client that was given no length can't be told.
    abort: () => done(false),
  };
}

/** The sink of a response whose client has left or requested only the head: its source sees the end. */
export const nowhere: StreamSink = {
  bytesPending: 0,
  write: () => undefined,
  drained: () => undefined,
  end: () => undefined,
  abort: () => undefined,
  onClose: (listener) => listener(),
};
