/** gRPC's message framing: one byte of flags, four bytes of length, the message. */
import { encode, MessageTooLarge, MessageWriter, type Input, type MessageTable } from '@coxswain/protobuf';
import { writeTable } from '@coxswain/protobuf/encode-table.ts';
import { GrpcError, grpcCodes } from './status.ts';

const headBytes = 5;

export function frame(message: Uint8Array): Buffer {
  const bytes = Buffer.allocUnsafe(headBytes + message.length);
  bytes[0] = 0;
  bytes.writeUInt32BE(message.length, 1);
  bytes.set(message, headBytes);
  return bytes;
}

/** gRPC's default limit, for both directions. */
const messageBytesMax = 2 ** 31 - 1;
const writer = new MessageWriter(undefined, messageBytesMax);

/** Equals `frame(encode(table, message))` without the intermediate copy. @throws GrpcError if it is too large */
export function frameOf<M extends MessageTable>(table: M, message: Input<M>): Buffer {
  writer.reset();
  try {
    writeTable(writer, table, message);
  } catch (failure) {
    throw failure instanceof MessageTooLarge
      ? tooLarge('trying to send', failure.bytes, messageBytesMax)
      : failure;
  }
  const { length } = writer;
  const bytes = Buffer.allocUnsafe(headBytes + length);
  bytes[0] = 0;
  bytes.writeUInt32BE(length, 1);
  writer.finishInto(bytes.subarray(headBytes));
  return bytes;
}

/** Equals {@link frameOf} of the message that the pieces are parts of. @throws GrpcError if it is too large */
export async function framePieces<M extends MessageTable>(
  table: M,
  pieces: Iterable<Input<M>>,
  betweenPieces: () => Promise<void>,
): Promise<Uint8Array[]> {
  const head = Buffer.alloc(headBytes);
  const framed: Uint8Array[] = [head];
  let bytes = 0;
  for (const piece of pieces) {
    if (bytes > 0) await betweenPieces();
    const encoded = encode(table, piece);
    bytes += encoded.length;
    if (bytes > messageBytesMax) throw tooLarge('trying to send', bytes, messageBytesMax);
    framed.push(encoded);
  }
  head.writeUInt32BE(bytes, 1);
  return framed;
}

/** Assembles chunks into messages. */
export class FrameReader {
  readonly #messageBytesMax: number;
  #chunks: Buffer[] = [];
  #bytes = 0;

  constructor(messageBytesMax: number) {
    this.#messageBytesMax = messageBytesMax;
  }

  /** The messages completed by `chunk`. @throws GrpcError for a message that is too large or compressed */
  push(chunk: Buffer): Buffer[] {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    const messages: Buffer[] = [];
    for (let message = this.#next(); message !== undefined; message = this.#next()) messages.push(message);
    return messages;
  }

  /** Whether there is an incomplete message. */
  get isWithin(): boolean {
    return this.#bytes > 0;
  }

  #next(): Buffer | undefined {
    if (this.#bytes < headBytes) return undefined;
    const bytes = this.#joined(headBytes);
    const length = bytes.readUInt32BE(1);
    if (bytes[0] !== 0)
      throw new GrpcError(grpcCodes.unimplemented, 'grpc: compressed messages are not supported');
    if (length > this.#messageBytesMax) throw tooLarge('received', length, this.#messageBytesMax);
    if (this.#bytes < headBytes + length) return undefined;
    const all = this.#joined(headBytes + length);
    this.#bytes -= headBytes + length;
    this.#chunks = this.#bytes === 0 ? [] : [all.subarray(headBytes + length)];
    return all.subarray(headBytes, headBytes + length);
  }

  /** The first chunk, extended to at least `bytes`. */
  #joined(bytes: number): Buffer {
    const first = this.#chunks[0]!;
    if (first.length >= bytes) return first;
    const all = Buffer.concat(this.#chunks);
    this.#chunks = [all];
    return all;
  }
}

const tooLarge = (what: string, bytes: number, bytesMax: number): GrpcError =>
  new GrpcError(
    grpcCodes.resourceExhausted,
    `grpc: ${what} message larger than max (${bytes} vs. ${bytesMax})`,
  );
