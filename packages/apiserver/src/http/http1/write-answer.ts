/** An answer on its way into a connection. `done` is called once, when all of it was handed over. */
import type { Duplex } from 'node:stream';
import type { Clock } from '@coxswain/apimachinery';
import { atNextSlice, isContended, mayBegin } from '@coxswain/apimachinery/slices.ts';
import type { StreamSink } from '../api-response.ts';
import { giveBack } from '../blocks.ts';
import { holdingBody } from '../unread-bodies.ts';
import { WriteCoalescer, type WriteTarget } from '../write-coalescer.ts';
import type { AnswerFraming } from './answer-head.ts';

type Done = (isWhole: boolean) => void;

/** Bodies up to this leave with their head in one piece. */
const joinedBytesMax = 16 * 1024;

/** What is encrypted at once while several users are served, as over HTTP/2. */
const partBytesMax = 64 * 1024;

/** For whom an answer is written, and the clock by which the thread is shared. */
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
  if (bytes.length > partBytesMax) {
    socket.once(
      'close',
      holdingBody(bytes, () => socket.destroy()),
    );
    return writeBlocks(socket, head, [bytes], by, done);
  }
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

/** As fast as the client reads, and as it is the owner's turn: no further block is made until then. */
export function writeBlocks(
  socket: Duplex,
  head: Buffer,
  body: Iterable<Uint8Array>,
  { clock, owner }: WrittenFor,
  done: Done,
): void {
  const blocks = body[Symbol.iterator]();
  let block: Uint8Array = new Uint8Array(0);
  let at = 0;
  /** Whether more can be written at once. */
  const writePart = (): boolean => {
    if (at === block.length) {
      const next = blocks.next();
      if (next.done === true) {
        done(true);
        return false;
      }
      block = next.value;
      at = 0;
    }
    const whole = block;
    const end = isContended(clock, clock.monotonic())
      ? Math.min(whole.length, at + partBytesMax)
      : whole.length;
    const isLast = end === whole.length;
    const part = whole.subarray(at, end);
    at = end;
    const hasRoom = socket.write(part, (failure) => {
      if (isLast && !failure) giveBack(whole);
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

/** Returns what the connection tells that it drains and that it closes. */
export function writeStream(
  socket: Duplex,
  head: Buffer,
  { framing, bytesDeclared }: { readonly framing: AnswerFraming; readonly bytesDeclared: number },
  done: Done,
): WriteCoalescer {
  // What is there at once leaves with the head.
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
  // The connection ends without a last chunk.
  abort: () => done(false),
});

/** @param bytesDeclared as many as the head has told; an answer that has fewer or more was broken off */
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
    // A client of HTTP/1.0 that was told no length can't be told this either.
    abort: () => done(false),
  };
}

/** For an answer whose client has gone, or asked for its head alone: the source hears that it is over. */
export const nowhere: StreamSink = {
  bytesPending: 0,
  write: () => undefined,
  drained: () => undefined,
  end: () => undefined,
  abort: () => undefined,
  onClose: (listener) => listener(),
};
