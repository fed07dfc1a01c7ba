/** SPDY/3 frames as values, and their encoding. */
import type { HeaderDeflater } from './header-compression.ts';

/** Lower-case names. */
export type SpdyHeaders = Readonly<Record<string, string>>;

export type Frame =
  | {
      readonly kind: 'synStream';
      readonly streamId: number;
      readonly headers: SpdyHeaders;
      readonly fin: boolean;
    }
  | {
      readonly kind: 'synReply';
      readonly streamId: number;
      readonly headers: SpdyHeaders;
      readonly fin: boolean;
    }
  | {
      readonly kind: 'headers';
      readonly streamId: number;
      readonly headers: SpdyHeaders;
      readonly fin: boolean;
    }
  | { readonly kind: 'data'; readonly streamId: number; readonly bytes: Uint8Array; readonly fin: boolean }
  | { readonly kind: 'reset'; readonly streamId: number; readonly status: number }
  | { readonly kind: 'settings'; readonly values: readonly Setting[] }
  | { readonly kind: 'ping'; readonly id: number }
  | { readonly kind: 'goAway'; readonly lastStreamId: number; readonly status: number }
  | { readonly kind: 'windowUpdate'; readonly streamId: number; readonly delta: number };

export interface Setting {
  readonly flags: number;
  readonly id: number;
  readonly value: number;
}

export const frameTypes = {
  synStream: 1,
  synReply: 2,
  reset: 3,
  settings: 4,
  ping: 6,
  goAway: 7,
  headers: 8,
  windowUpdate: 9,
} as const;

export const resetStatus = { protocolError: 1, invalidStream: 2, refusedStream: 3, cancel: 5 } as const;

export const finFlag = 1;

/** The maximum size of data frames that are sent: a few fill a socket's buffer, and none delays others for long. */
export const dataFrameBytesMax = 32 * 1024;

const versionBits = 0x8003;

export function encodeFrame(frame: Frame, deflater: HeaderDeflater): Buffer {
  switch (frame.kind) {
    case 'synStream': {
      // No associated stream, highest priority, no credential slot.
      const head = words(frame.streamId, 0);
      return control(frame, finOf(frame), [head, Buffer.alloc(2), block(frame.headers, deflater)]);
    }
    case 'synReply':
    case 'headers':
      return control(frame, finOf(frame), [words(frame.streamId), block(frame.headers, deflater)]);
    case 'data': {
      const head = words(frame.streamId, finOf(frame) * 2 ** 24 + frame.bytes.length);
      return Buffer.concat([head, frame.bytes]);
    }
    case 'reset':
      return control(frame, 0, [words(frame.streamId, frame.status)]);
    case 'settings':
      return control(frame, 0, [
        words(
          frame.values.length,
          ...frame.values.flatMap(({ flags, id, value }) => [flags * 2 ** 24 + id, value]),
        ),
      ]);
    case 'ping':
      return control(frame, 0, [words(frame.id)]);
    case 'goAway':
      return control(frame, 0, [words(frame.lastStreamId, frame.status)]);
    case 'windowUpdate':
      return control(frame, 0, [words(frame.streamId, frame.delta)]);
  }
}

const finOf = ({ fin }: { readonly fin: boolean }): number => (fin ? finFlag : 0);

function control(
  { kind }: { readonly kind: keyof typeof frameTypes },
  flags: number,
  parts: readonly Uint8Array[],
): Buffer {
  const payload = Buffer.concat(parts);
  return Buffer.concat([
    words(versionBits * 2 ** 16 + frameTypes[kind], flags * 2 ** 24 + payload.length),
    payload,
  ]);
}

function block(headers: SpdyHeaders, deflater: HeaderDeflater): Buffer {
  const entries = Object.entries(headers);
  const texts = entries.flat().flatMap((text) => {
    const bytes = Buffer.from(text);
    return [words(bytes.length), bytes];
  });
  return deflater.deflate(Buffer.concat([words(entries.length), ...texts]));
}

/** Big-endian, 32 bits each. */
function words(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  values.forEach((value, index) => bytes.writeUInt32BE(value, index * 4));
  return bytes;
}
