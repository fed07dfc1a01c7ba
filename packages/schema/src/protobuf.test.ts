import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { App, Port, valueOf, Zoo } from '../test/sample-types.ts';
import {
  always,
  decode,
  decodeEnvelope,
  decodeProtobuf,
  decodeValue,
  encodeProtobuf,
  encodeWatchFrame,
  microTime,
  pointer,
  struct,
  int32,
  string,
  ProtobufError,
  type StructType,
} from './index.ts';
import { encodeMessage } from './protobuf/encode-message.ts';

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

describe("upstream's bytes", () => {
  test('a port with a name for a target, and one with a number', () => {
    const { object: named } = decode(Port, '{"name":"a","port":80,"protocol":"TCP","target":"web"}');
    const { object: numbered } = decode(Port, '{"name":"b","port":81,"protocol":"TCP","target":8081}');

    expect(hex(encodeMessage(Port, named))).toBe('0a01611850220354435' + '02a09080110001a03776562');
    expect(hex(encodeMessage(Port, numbered))).toBe('0a01621851220354435' + '02a07080010913f1a00');
  });

  test('a lease with its micro time; unset pointers are not written', () => {
    const LeaseSpec = struct('test/v1.LeaseSpec', {
      holderIdentity: pointer(1, string),
      leaseDurationSeconds: pointer(2, int32),
      acquireTime: pointer(3, microTime),
      renewTime: pointer(4, microTime),
    });
    const spec = {
      holderIdentity: 'h',
      leaseDurationSeconds: 15,
      acquireTime: '2026-01-02T03:04:05.678901Z',
    };

    expect(hex(encodeMessage(LeaseSpec, spec))).toBe('0a0168100f1a0c08a5ebdcca061088eadcc302');
  });

  test('zero values are written, a negative number takes ten bytes', () => {
    const Numbers = struct('test/v1.Numbers', {
      zero: always(1, int32),
      negative: always(2, int32),
      text: always(3, string),
    });

    expect(hex(encodeMessage(Numbers, { negative: -5 }))).toBe('080010fbffffffffffffffff011a00');
  });

  test('an envelope has the magic, the type and empty endings', () => {
    const Empty = struct('test/v1.Empty', {});

    expect(hex(encodeProtobuf(Empty, { apiVersion: 'v1', kind: 'K' }))).toBe(
      '6b3873000a070a02763112014b12001a002200',
    );
  });

  test('a watch frame begins with its length', () => {
    expect(hex(encodeWatchFrame('ADDED', Uint8Array.of(1, 2)))).toBe(
      '0000000d0a054144444544120' + '40a020102',
    );
  });
});

/** Objects with every kind of field are slow to generate, and to print on a failure. */
const objectsMax = 30;
const absent = new Set(['anything', 'apiVersion', 'kind']);

describe.each<{ kind: string; type: StructType }>([App, Zoo])('any $kind', ({ type }) => {
  test('comes back from protobuf as it was', () => {
    fc.assert(
      fc.property(valueOf(type), (value) => {
        // Type meta is only in the envelope, and one field is not in protobuf at all.
        const text = JSON.stringify(value, (name, member: unknown) =>
          absent.has(name) ? undefined : member,
        );
        const { object } = decode(type, text);
        const stored = { ...(object as object), apiVersion: 'v1', kind: 'K' };
        const back = decodeProtobuf(type, decodeEnvelope(encodeProtobuf(type, stored)));

        expect(back).toEqual(decodeValue(type, stored).object);
      }),
      { numRuns: objectsMax },
    );
  });
});

test('unknown fields are skipped, and fields may come in any order', () => {
  const bytes = Buffer.from(
    '2a0708001091' + '3f1a00' + '7a0178' + '220354435' + '0' + '1851' + '0a0162',
    'hex',
  );
  const { object } = decode(Port, '{"name":"b","port":81,"protocol":"TCP","target":8081}');

  expect(decodeProtobuf(Port, { apiVersion: '', kind: '', raw: bytes })).toEqual(object);
});

test('random bytes are refused, never more', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
      try {
        decodeProtobuf(App.type, { apiVersion: '', kind: '', raw: bytes });
      } catch (error) {
        expect((error as Error).constructor.name).toMatch(/^(ProtobufError|DecodeError)$/);
      }
    }),
    { numRuns: 1000 },
  );
});

test('input without the magic number is not protobuf', () => {
  expect(() => decodeEnvelope(Buffer.from('{}'))).toThrow(ProtobufError);
});
