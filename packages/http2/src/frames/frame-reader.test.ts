import fc from 'fast-check';
import { expect, test } from 'vitest';
import { frameHeadBytes, frameOf, preface } from './frame.ts';
import { FrameReader } from './frame-reader.ts';

const payloads = fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 20 });

test('frames are the same, however their bytes are cut into chunks', () => {
  fc.assert(
    fc.property(payloads, fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }), (sent, cuts) => {
      const frames = sent.map((payload, index) => {
        const frame = frameOf(index % 10, index, index + 1, payload.length);
        frame.set(payload, frameHeadBytes);
        return frame;
      });
      const bytes = Buffer.concat([preface, ...frames]);
      const reader = new FrameReader(16_384);
      const seen: number[][] = [];
      for (let at = 0, turn = 0; at < bytes.length; turn++) {
        const end = at + cuts[turn % cuts.length]!;
        reader.push(bytes.subarray(at, end));
        at = end;
        for (let frame = reader.next(); frame !== undefined; frame = reader.next()) {
          expect([frame.type, frame.flags, frame.streamId]).toEqual([
            seen.length % 10,
            seen.length,
            seen.length + 1,
          ]);
          seen.push([...frame.bytes.subarray(frame.start, frame.end)]);
        }
      }
      expect(seen).toEqual(sent.map((payload) => [...payload]));
    }),
  );
});

test('what is no HTTP/2 is told by its first byte', () => {
  const reader = new FrameReader(16_384);
  reader.push(Buffer.from('G'));
  expect(() => reader.next()).toThrow('this is not HTTP/2');
});

test('a frame that comes byte by byte is the same, too', () => {
  const payload = Uint8Array.from({ length: 5_000 }, (_none, index) => index % 251);
  const frame = frameOf(0, 0, 1, payload.length);
  frame.set(payload, frameHeadBytes);
  const reader = new FrameReader(16_384);
  for (const byte of Buffer.concat([preface, frame]).subarray(0, -1)) {
    reader.push(Buffer.of(byte));
    expect(reader.next()).toBeUndefined();
  }
  reader.push(Buffer.from(frame.subarray(-1)));
  const { bytes, start, end } = reader.next()!;

  expect(bytes.subarray(start, end).equals(payload)).toBe(true);
});
