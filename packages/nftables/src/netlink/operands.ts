/** Operands of rules and elements as the bytes that the kernel compares. */
import { parseIp } from '@coxswain/apimachinery';
import { aligned, joined } from './attributes.ts';

export const protocolNumbers: Readonly<Record<string, number>> = { tcp: 6, udp: 17, sctp: 132 };

const wordPattern = /^\d{1,10}$/;

/**
 * `10.0.0.1 . tcp . 80`: each part is aligned to four bytes. A single number is an index in a map, in host byte order;
 * in a concatenation it is a port. Undefined for operands that only nft supports.
 */
export function operandBytes(words: string): Uint8Array | undefined {
  const parts = words.split(' . ');
  const [only = ''] = parts;
  if (parts.length === 1 && wordPattern.test(only)) return placeBytes(Number(only));
  const bytes: Uint8Array[] = [];
  for (const part of parts) {
    const value = addressBytes(part) ?? protocolBytes(part) ?? portBytes(part);
    if (value === undefined) return undefined;
    bytes.push(parts.length === 1 ? value : padded(value));
  }
  return joined(bytes);
}

export function addressBytes(word: string): Uint8Array | undefined {
  const ip = parseIp(word);
  if (ip === undefined) return undefined;
  const bytes = new Uint8Array(ip.version === 4 ? 4 : 16);
  let rest = ip.value;
  for (let place = bytes.length - 1; place >= 0; place--) {
    bytes[place] = Number(rest & 255n);
    rest >>= 8n;
  }
  return bytes;
}

export function portBytes(word: string): Uint8Array | undefined {
  const port = wordPattern.test(word) ? Number(word) : 0x1_0000;
  return port > 0xffff ? undefined : Uint8Array.of(port >> 8, port & 255);
}

function protocolBytes(word: string): Uint8Array | undefined {
  const protocol = protocolNumbers[word];
  return protocol === undefined ? undefined : Uint8Array.of(protocol);
}

const placeBytes = (place: number): Uint8Array => new Uint8Array(Uint32Array.of(place).buffer);

function padded(value: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(aligned(value.length));
  bytes.set(value);
  return bytes;
}
