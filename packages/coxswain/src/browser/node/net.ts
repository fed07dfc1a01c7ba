/** `node:net` without sockets: only what it offers for addresses. */

const byte = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';
const v4 = new RegExp(`^${byte}(?:\\.${byte}){3}$`);

export const isIPv4 = (text: string): boolean => v4.test(text);

export function isIPv6(text: string): boolean {
  const [address = '', ...zone] = text.split('%');
  if (zone.length > 1 || zone[0] === '') return false;
  const dotted = address.lastIndexOf(':') + 1;
  const tail = address.slice(dotted);
  const whole = tail.includes('.') ? (isIPv4(tail) ? `${address.slice(0, dotted)}0:0` : 'x') : address;
  const halves = whole.split('::');
  if (halves.length > 2) return false;
  const words = halves.flatMap((half) => (half === '' ? [] : half.split(':')));
  if (!words.every((word) => /^[\da-f]{1,4}$/i.test(word))) return false;
  return halves.length === 2 ? words.length < 8 : words.length === 8;
}

export const isIP = (text: string): 0 | 4 | 6 => (isIPv4(text) ? 4 : isIPv6(text) ? 6 : 0);

type Family = 'ipv4' | 'ipv6';

interface Block {
  readonly family: Family;
  readonly first: bigint;
  readonly last: bigint;
}

/** A set of addresses defined by rules. */
export class BlockList {
  readonly #blocks: Block[] = [];

  addAddress(address: string, family: Family = 'ipv4'): void {
    this.addRange(address, address, family);
  }

  addRange(first: string, last: string, family: Family = 'ipv4'): void {
    this.#blocks.push({ family, first: numberOf(first, family), last: numberOf(last, family) });
  }

  addSubnet(address: string, prefixLength: number, family: Family = 'ipv4'): void {
    const rest = (1n << BigInt((family === 'ipv4' ? 32 : 128) - prefixLength)) - 1n;
    const first = numberOf(address, family) & ~rest;
    this.#blocks.push({ family, first, last: first | rest });
  }

  check(address: string, family: Family = 'ipv4'): boolean {
    const number = numberOf(address, family);
    const mapped = family === 'ipv6' && number >> 32n === 0xffffn ? number & 0xffffffffn : undefined;
    return this.#blocks.some((block) => {
      const sought = block.family === family ? number : block.family === 'ipv4' ? mapped : undefined;
      return sought !== undefined && sought >= block.first && sought <= block.last;
    });
  }
}

function numberOf(address: string, family: Family): bigint {
  if (family === 'ipv4') return address.split('.').reduce((sum, part) => (sum << 8n) | BigInt(part), 0n);
  const [text = ''] = address.split('%');
  const tail = text.slice(text.lastIndexOf(':') + 1);
  const dotted = tail.includes('.') ? numberOf(tail, 'ipv4') : 0n;
  const words = tail.includes('.')
    ? `${text.slice(0, -tail.length)}${(dotted >> 16n).toString(16)}:${(dotted & 0xffffn).toString(16)}`
    : text;
  const [before = '', after] = words.split('::').map((half) => (half === '' ? [] : half.split(':')));
  const zeros = Array.from({ length: 8 - before.length - (after?.length ?? 0) }, () => '0');
  const all = after === undefined ? before : [...before, ...zeros, ...after];
  return [...all].reduce((sum, word) => (sum << 16n) | BigInt(`0x${word}`), 0n);
}
