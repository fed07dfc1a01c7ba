/** The part of the tar format (ustar, with the long names of GNU and pax) that copying files requires. */
import type { ByteInput } from '../network/byte-input.ts';

export interface TarEntry {
  readonly path: string;
  readonly kind: 'file' | 'directory' | 'other';
  readonly mode: number;
  readonly modifiedMs: number;
  readonly bytes: Uint8Array;
}

const blockBytes = 512;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * The entries up to the end of the archive; the sender may keep the stream open after it.
 * @throws Error for input that is not an archive, or for an entry larger than `bytesMax`
 */
export async function* readTar(input: ByteInput, bytesMax: number): AsyncGenerator<TarEntry> {
  let longName: string | undefined;
  for (;;) {
    const head = await input.take(blockBytes);
    if (head.length < blockBytes || head.every((byte) => byte === 0)) return;
    if (checksum(head) !== octal(head, 148, 8)) throw new Error('invalid tar header checksum');
    const size = octal(head, 124, 12);
    if (size > bytesMax) throw new Error('No space left on device');
    const whole = await input.take(Math.ceil(size / blockBytes) * blockBytes);
    if (whole.length < size) throw new Error('short read');
    const bytes = whole.subarray(0, size);
    const type = String.fromCharCode(head[156]!);
    if (type === 'L') longName = text(bytes, 0, bytes.length);
    else if (type === 'x') longName = paxPath(decoder.decode(bytes)) ?? longName;
    else if (type !== 'g') {
      const prefix = text(head, 257, 5) === 'ustar' ? text(head, 345, 155) : '';
      const name = text(head, 0, 100);
      yield {
        path: longName ?? (prefix === '' ? name : `${prefix}/${name}`),
        kind: type === '5' ? 'directory' : type === '0' || type === '\0' || type === '7' ? 'file' : 'other',
        mode: octal(head, 100, 8) & 0o7777,
        modifiedMs: octal(head, 136, 12) * 1000,
        bytes,
      };
      longName = undefined;
    }
  }
}

/** The header of an entry, its bytes, and the padding of the last block. */
export function writeTarEntry({ path, kind, mode, modifiedMs, bytes }: TarEntry): Uint8Array[] {
  const name = encoder.encode(kind === 'directory' && !path.endsWith('/') ? `${path}/` : path);
  if (name.length > 100) {
    const long = tarHead(encoder.encode('././@LongLink'), 'L', 0, 0, name.length + 1);
    const short = tarHead(
      name.subarray(0, 100),
      kind === 'directory' ? '5' : '0',
      mode,
      modifiedMs,
      bytes.length,
    );
    return [long, padded(Uint8Array.of(...name, 0)), short, padded(bytes)];
  }
  return [tarHead(name, kind === 'directory' ? '5' : '0', mode, modifiedMs, bytes.length), padded(bytes)];
}

/** Two empty blocks. */
export const tarEnd: Uint8Array = new Uint8Array(2 * blockBytes);

function tarHead(name: Uint8Array, type: string, mode: number, modifiedMs: number, size: number): Uint8Array {
  const head = new Uint8Array(blockBytes);
  const put = (value: string, at: number) => head.set(encoder.encode(value), at);
  const number = (value: number, digits: number) => `${value.toString(8).padStart(digits, '0')}\0`;
  head.set(name, 0);
  put(number(mode, 7), 100);
  put(number(0, 7), 108);
  put(number(0, 7), 116);
  put(number(size, 11), 124);
  put(number(Math.floor(modifiedMs / 1000), 11), 136);
  put(type, 156);
  put('ustar\x0000', 257);
  put('root', 265);
  put('root', 297);
  put(`${checksum(head).toString(8).padStart(6, '0')}\0 `, 148);
  return head;
}

function padded(bytes: Uint8Array): Uint8Array {
  const whole = new Uint8Array(Math.ceil(bytes.length / blockBytes) * blockBytes);
  whole.set(bytes);
  return whole;
}

/** The checksum field counts as spaces. */
function checksum(head: Uint8Array): number {
  let sum = 0;
  for (let index = 0; index < blockBytes; index++) sum += index >= 148 && index < 156 ? 32 : head[index]!;
  return sum;
}

const text = (bytes: Uint8Array, at: number, length: number): string =>
  decoder.decode(bytes.subarray(at, at + length)).replace(/\0.*$/s, '');

const octal = (bytes: Uint8Array, at: number, length: number): number =>
  Number.parseInt(text(bytes, at, length).trim() || '0', 8) || 0;

const paxPath = (records: string): string | undefined => /(?:^|\n)\d+ path=([^\n]*)\n/.exec(records)?.[1];
