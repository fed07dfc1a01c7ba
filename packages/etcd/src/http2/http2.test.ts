import { Duplex } from 'node:stream';
import { expect, test } from 'vitest';
import { FrameReader, errorCodes, flags, frameTypes, preface } from './frames.ts';
import type { Frame } from './frames.ts';
import { headerBlock } from './header-block.ts';
import { HpackDecoder } from './hpack-decoder.ts';
import { decodeHuffman } from './hpack-huffman.ts';
import { ServerConnection } from './server-connection.ts';
import type { ServerStream } from './server-stream.ts';

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');

test('headers are decoded as in the examples of RFC 7541, with a table that grows from block to block', () => {
  const decoder = new HpackDecoder();
  const blocks = [
    '8286 8441 8cf1 e3c2 e5f2 3a6b a0ab 90f4 ff',
    '8286 84be 5886 a8eb 1064 9cbf',
    '8287 85bf 4088 25a8 49e9 5ba9 7d7f 8925 a849 e95b b8e8 b4bf',
  ];
  const [first, second, third] = blocks.map((block) => Object.fromEntries(decoder.decode(hex(block))));
  expect(first).toMatchObject({ ':method': 'GET', ':scheme': 'http', ':authority': 'www.example.com' });
  expect(second).toMatchObject({ ':authority': 'www.example.com', 'cache-control': 'no-cache' });
  expect(third).toMatchObject({ ':scheme': 'https', 'custom-key': 'custom-value' });
});

test('a block that comes twice means the same twice, and something else after a new field', () => {
  const decoder = new HpackDecoder();
  decoder.decode(Buffer.concat([hex('40 01 61 01'), Buffer.from('1')]));
  const known = hex('be be');
  expect(decoder.decode(known).get('a')).toBe('1');
  expect(decoder.decode(known).get('a')).toBe('1');
  decoder.decode(Buffer.concat([hex('40 01 61 01'), Buffer.from('2')]));
  expect(decoder.decode(known).get('a')).toBe('2');
});

test('fields that we write are read back', () => {
  const fields = { ':status': '200', 'content-type': 'application/grpc', 'grpc-message': 'x'.repeat(300) };
  expect(Object.fromEntries(new HpackDecoder().decode(headerBlock(fields)))).toEqual(fields);
});

test.each(['ff ff ff ff ff ff', '80', 'bf', '40 05 61', '3f ff ff 7f', '00 81 00 00'])(
  'the block %s is refused',
  (block) => {
    expect(() => new HpackDecoder().decode(hex(block))).toThrow();
  },
);

test('a Huffman code with wrong filling is none', () => {
  expect(decodeHuffman(hex('f1e3 c2e5 f23a 6ba0 ab90 f4ff'))).toBe('www.example.com');
  expect(decodeHuffman(hex('f1e3 c2e5 f23a 6ba0 ab90 f400'))).toBeUndefined();
});

/** Both ends of a connection in this process, without a socket. */
function connected(onStream: (stream: ServerStream) => void) {
  const reader = new FrameReader();
  reader.push(preface);
  const frames: Frame[] = [];
  const socket = new Duplex({
    read: () => undefined,
    write(chunk: Buffer, _, done) {
      reader.push(chunk);
      for (let frame = reader.next(); frame !== undefined; frame = reader.next()) frames.push(frame);
      done();
    },
  });
  const connection = new ServerConnection(socket, { streamsMax: 2, onStream });
  socket.push(preface);
  return {
    connection,
    frames,
    send(type: number, bits: number, streamId: number, payload: Buffer = Buffer.alloc(0)) {
      const head = Buffer.alloc(9);
      head.writeUIntBE(payload.length, 0, 3);
      head[3] = type;
      head[4] = bits;
      head.writeUInt32BE(streamId, 5);
      socket.push(Buffer.concat([head, payload]));
    },
    async until(isThere: (frame: Frame) => boolean): Promise<Frame> {
      for (;;) {
        const found = frames.find(isThere);
        if (found !== undefined) return found;
        await new Promise<void>((resolve) => void setImmediate(resolve));
      }
    },
  };
}

const request = headerBlock({ ':method': 'POST', ':path': '/a', ':authority': 'http://127.0.0.1:2379' });
const whole = flags.endHeaders | flags.endStream;

test('an authority that is a URL is no reason to refuse a request', async () => {
  const seen: ServerStream[] = [];
  const client = connected((stream) => {
    seen.push(stream);
    stream.respond(headerBlock({ ':status': '200' }), { isLast: true });
  });
  client.send(frameTypes.headers, whole, 1, request);
  await client.until(({ type, streamId }) => type === frameTypes.headers && streamId === 1);
  expect(seen[0]!.headers.get(':authority')).toBe('http://127.0.0.1:2379');
});

test('data waits for the window of the client, and trailers for the data', async () => {
  const client = connected((stream) => {
    stream.respond(headerBlock({ ':status': '200' }));
    stream.write(Buffer.alloc(100_000, 'x'));
    stream.end(headerBlock({ 'grpc-status': '0' }));
  });
  const dataBytes = () =>
    client.frames
      .filter(({ type }) => type === frameTypes.data)
      .reduce((sum, { payload }) => sum + payload.length, 0);
  client.send(frameTypes.headers, whole, 1, request);
  await client.until(() => dataBytes() === 65_535);
  expect(client.frames.filter(({ flags: bits }) => (bits & flags.endStream) !== 0)).toEqual([]);

  const more = Buffer.alloc(4);
  more.writeUInt32BE(1_000_000);
  client.send(frameTypes.windowUpdate, 0, 0, more);
  client.send(frameTypes.windowUpdate, 0, 1, more);
  await client.until(
    ({ type, flags: bits }) => type === frameTypes.headers && (bits & flags.endStream) !== 0,
  );
  expect(dataBytes()).toBe(100_000);
});

test('more streams than agreed on are refused, one by one', async () => {
  const client = connected(() => undefined);
  for (const id of [1, 3, 5]) client.send(frameTypes.headers, flags.endHeaders, id, request);
  const reset = await client.until(({ type }) => type === frameTypes.resetStream);
  expect([reset.streamId, reset.payload.readUInt32BE(0)]).toEqual([5, errorCodes.refusedStream]);
});

test('a stream that the client resets is told so, once', async () => {
  let closed = 0;
  const client = connected((stream) => {
    stream.listener = { onData: () => undefined, onEnd: () => undefined, onClose: () => void closed++ };
  });
  client.send(frameTypes.headers, flags.endHeaders, 1, request);
  client.send(frameTypes.resetStream, 0, 1, Buffer.alloc(4));
  client.send(frameTypes.ping, 0, 0, Buffer.alloc(8));
  await client.until(({ type, flags: bits }) => type === frameTypes.ping && bits === flags.ack);
  client.connection.close();
  expect(closed).toBe(1);
});

test.each([
  ['a frame longer than agreed on', [frameTypes.data, 0, 1, Buffer.alloc(20_000)], errorCodes.frameSize],
  ['data on a stream that has not begun', [frameTypes.data, 0, 7, Buffer.alloc(1)], errorCodes.protocol],
  ['headers on an even stream', [frameTypes.headers, whole, 2, request], errorCodes.protocol],
  ['headers that are none', [frameTypes.headers, whole, 1, Buffer.of(0x80)], errorCodes.compression],
  ['a window of more than 31 bits', [frameTypes.windowUpdate, 0, 0, hex('7fffffff')], errorCodes.flowControl],
  ['half a setting', [frameTypes.settings, 0, 0, Buffer.alloc(5)], errorCodes.frameSize],
] as const)('%s ends the connection with the reason', async (_, [type, bits, id, payload], code) => {
  const client = connected(() => undefined);
  client.send(type, bits, id, payload);
  const goAway = await client.until((frame) => frame.type === frameTypes.goAway);
  expect(goAway.payload.readUInt32BE(4)).toBe(code);
});
