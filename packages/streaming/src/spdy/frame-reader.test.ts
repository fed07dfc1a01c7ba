import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodeFrame, type Frame } from './frame.ts';
import { FrameReader, controlFrameBytesMax } from './frame-reader.ts';
import { HeaderDeflater } from './header-compression.ts';
import { SpdyError } from './spdy-error.ts';

/** Written by github.com/moby/spdystream v0.5.1 on a single connection. */
const recorded: readonly (readonly [string, Frame])[] = [
  [
    '80030001000000290000000100000000000078f9e3c6a7c26260606004a7b392a2d4c45c6851c29a0a0a6800000000ffff',
    { kind: 'synStream', streamId: 1, headers: { streamtype: 'error' }, fin: false },
  ],
  [
    '800300010000001700000003000000000000c22e555c92929907000000ffff',
    { kind: 'synStream', streamId: 3, headers: { streamtype: 'stdin' }, fin: false },
  ],
  [
    '800300020000000e000000016260606000000000ffff',
    { kind: 'synReply', streamId: 1, headers: {}, fin: false },
  ],
  [
    '800300020100001300000003824a3382b20473124332000000ffff',
    { kind: 'synReply', streamId: 3, headers: { a: 'b\0c' }, fin: true },
  ],
  ['000000010000000568656c6c6f', { kind: 'data', streamId: 1, bytes: Buffer.from('hello'), fin: false }],
  ['0000000101000000', { kind: 'data', streamId: 1, bytes: Buffer.alloc(0), fin: true }],
  ['80030003000000080000000500000005', { kind: 'reset', streamId: 5, status: 5 }],
  ['800300060000000400000007', { kind: 'ping', id: 7 }],
  ['80030007000000080000000900000000', { kind: 'goAway', lastStreamId: 9, status: 0 }],
  ['80030009000000080000000100010000', { kind: 'windowUpdate', streamId: 1, delta: 65_536 }],
  [
    '800300040000000c000000010100000700100000',
    { kind: 'settings', values: [{ flags: 1, id: 7, value: 1_048_576 }] },
  ],
];

const recordedBytes = Buffer.from(recorded.map(([hex]) => hex).join(''), 'hex');
const recordedFrames = recorded.map(([, frame]) => frame);

test('the frames that Go wrote are read', () => {
  expect([...new FrameReader().push(recordedBytes)]).toEqual(recordedFrames);
});

test('frames without header blocks are written to the bytes that Go writes', () => {
  const plain = recorded.filter(([, { kind }]) => kind !== 'synStream' && kind !== 'synReply');

  for (const [hex, frame] of plain)
    expect(encodeFrame(frame, new HeaderDeflater()).toString('hex')).toBe(hex);
});

test('frames come out however their bytes are cut', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }), (sizes) => {
      const reader = new FrameReader();
      const frames: Frame[] = [];
      for (let at = 0, turn = 0; at < recordedBytes.length; turn++) {
        const size = sizes[turn % sizes.length]!;
        frames.push(...reader.push(recordedBytes.subarray(at, at + size)));
        at += size;
      }
      expect(withoutData(frames)).toEqual(withoutData(recordedFrames));
      expect(textOf(frames)).toBe('hello');
    }),
  );
});

test('what is written is read again', () => {
  const headers = fc.dictionary(fc.stringMatching(/^[a-z-]{1,20}$/), fc.string());
  const streamId = fc.integer({ min: 1, max: 2 ** 31 - 1 });
  const frame = fc.oneof(
    fc.record({
      kind: fc.constantFrom('synStream', 'synReply', 'headers'),
      streamId,
      headers,
      fin: fc.boolean(),
    }),
    fc.record({
      kind: fc.constant('data'),
      streamId,
      bytes: fc.uint8Array().map((bytes) => Buffer.from(bytes)),
      fin: fc.boolean(),
    }),
  ) as fc.Arbitrary<Frame>;
  fc.assert(
    fc.property(fc.array(frame), (frames) => {
      const deflater = new HeaderDeflater();
      const bytes = Buffer.concat(frames.map((one) => encodeFrame(one, deflater)));
      expect(JSON.stringify([...new FrameReader().push(bytes)])).toBe(JSON.stringify(frames));
    }),
  );
});

test('nonsense is refused, with one error and nothing kept of it', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 200 }),
      fc.nat(recordedBytes.length),
      fc.nat(20),
      (noise, at, dropped) => {
        const bytes = Buffer.concat([
          recordedBytes.subarray(0, at),
          noise,
          recordedBytes.subarray(at + dropped),
        ]);
        try {
          for (const frame of new FrameReader().push(bytes)) expect(frame.kind).toBeTypeOf('string');
        } catch (failure) {
          expect(failure).toBeInstanceOf(SpdyError);
        }
      },
    ),
    { numRuns: 2_000 },
  );
});

test('a control frame that is too long is refused before it is gathered', () => {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(0x80030001, 0);
  head.writeUInt32BE(controlFrameBytesMax + 1, 4);

  expect(() => [...new FrameReader().push(head)]).toThrow('control frame of');
});

test('a header block that unfolds to more than its bound is refused', () => {
  const bytes = encodeFrame(
    { kind: 'synStream', streamId: 1, headers: { a: 'a'.repeat(100_000) }, fin: false },
    new HeaderDeflater(),
  );

  expect(bytes.length).toBeLessThan(1_000);
  expect(() => [...new FrameReader().push(bytes)]).toThrow(SpdyError);
});

const withoutData = (frames: readonly Frame[]): readonly Frame[] =>
  frames.filter(({ kind }) => kind !== 'data');

const textOf = (frames: readonly Frame[]): string =>
  frames.map((frame) => (frame.kind === 'data' ? Buffer.from(frame.bytes).toString() : '')).join('');
