/** An answer on its way into a connection. `done` is called once, when all of it was handed over. */
import type { Duplex } from 'node:stream';
import type { StreamSink } from '../api-response.ts';
import { giveBack } from '../blocks.ts';
import { holdingBody } from '../unread-bodies.ts';
import { WriteCoalescer, type WriteTarget } from '../write-coalescer.ts';
import type { AnswerFraming } from './answer-head.ts';

type Done = (isWhole: boolean) => void;

/** Bodies up to this leave with their head in one piece. */
const joinedBytesMax = 16 * 1024;

export function writeWhole(socket: Duplex, head: Buffer, bytes: Uint8Array, done: Done): void {
  if (bytes.length <= joinedBytesMax) {
    socket.write(Buffer.concat([head, bytes]));
  } else {
    socket.cork();
    socket.write(head);
    socket.write(
      bytes,
      holdingBody(bytes, () => socket.destroy()),
    );
    socket.uncork();
  }
  done(true);
}

/** As fast as the client reads: no further block is made while it is behind. */
export function writeBlocks(socket: Duplex, head: Buffer, body: Iterable<Uint8Array>, done: Done): void {
  const blocks = body[Symbol.iterator]();
  const goOn = (): void => {
    while (!socket.destroyed) {
      const { value: block, done: isOver } = blocks.next();
      if (isOver === true) return done(true);
      if (socket.write(block, (failure) => failure ?? giveBack(block))) continue;
      socket.once('drain', goOn);
      return;
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
