/**
 * RFC 7541, appendix B. The code is canonical: sorted by length and then by symbol, each code is its predecessor plus
 * one. So the lengths determine it.
 */
// oxfmt-ignore -- sixteen to a row
const codeLengths: readonly number[] = [
  13, 23, 28, 28, 28, 28, 28, 28, 28, 24, 30, 28, 28, 30, 28, 28, 28, 28, 28, 28, 28, 28, 30, 28, 28, 28, 28,
  28, 28, 28, 28, 28, 6, 10, 10, 12, 13, 6, 8, 11, 10, 10, 8, 11, 8, 6, 6, 6, 5, 5, 5, 6, 6, 6, 6, 6, 6, 6, 7,
  8, 15, 6, 12, 10, 13, 6, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 8, 7, 8, 13, 19,
  13, 14, 6, 15, 5, 6, 5, 6, 5, 6, 6, 6, 5, 7, 7, 6, 6, 6, 5, 6, 7, 6, 5, 5, 6, 7, 7, 7, 7, 7, 15, 11, 14, 13,
  28, 20, 22, 20, 20, 22, 22, 22, 23, 22, 23, 23, 23, 23, 23, 24, 23, 24, 24, 22, 23, 24, 23, 23, 23, 23, 21,
  22, 23, 22, 23, 23, 24, 22, 21, 20, 22, 22, 23, 23, 21, 23, 22, 22, 24, 21, 22, 23, 23, 21, 21, 22, 21, 23,
  22, 23, 23, 20, 22, 22, 22, 23, 22, 22, 23, 26, 26, 20, 19, 22, 23, 22, 25, 26, 26, 26, 27, 27, 26, 24, 25,
  19, 21, 26, 27, 27, 26, 27, 24, 21, 21, 26, 26, 28, 27, 27, 27, 20, 24, 20, 21, 22, 21, 21, 23, 22, 22, 25,
  25, 24, 24, 26, 23, 26, 27, 26, 26, 27, 27, 27, 27, 27, 28, 27, 27, 27, 27, 27, 26,
];
/** The end-of-string symbol, which is never sent: its prefix serves as padding. */
const endOfString = 256;
const endOfStringLength = 30;
/** Padding is shorter than a byte and consists of ones. */
const fillBitsMax = 7;

/**
 * A binary tree with two cells per node: the successors for 0 and for 1. A positive number is a node, a negative one
 * the complement of a symbol.
 */
const tree = treeOf([...codeLengths, endOfStringLength]);

const nodes = tree.length / 2;

/**
 * The transition for half a byte at a node: the next node in the low byte; if a symbol ends in it, `hasSymbol` and the
 * symbol above that. At most one ends in a half, since codes have at least five bits.
 */
const steps = new Int32Array(nodes * 16);
const hasSymbol = 0x100;
const symbolShift = 9;
const noCode = -1;

/** The nodes where a string may end: those reached from the root by fewer than eight ones. */
const mayEnd = new Uint8Array(nodes);

for (let node = 0; node < nodes; node++)
  for (let half = 0; half < 16; half++) steps[node * 16 + half] = stepFrom(node, half);
for (let node = 0, bits = 0; bits <= fillBitsMax; node = tree[2 * node + 1]!, bits++) mayEnd[node] = 1;

let text = Buffer.alloc(4096);
/** The shortest code has five bits. */
const symbolsPerByteMost = 8 / 5;

/**
 * Decodes the bytes from `start` to `end`, one character per byte; returns undefined if they are not a Huffman code.
 */
export function decodeHuffman(bytes: Uint8Array, start: number, end: number): string | undefined {
  const bytesMost = (end - start) * symbolsPerByteMost;
  if (bytesMost > text.length) text = Buffer.alloc(Math.ceil(bytesMost));
  let node = 0;
  let length = 0;
  for (let at = start; at < end; at++) {
    const byte = bytes[at]!;
    const high = steps[node * 16 + (byte >> 4)]!;
    if (high === noCode) return undefined;
    if ((high & hasSymbol) !== 0) text[length++] = high >> symbolShift;
    const low = steps[(high & 0xff) * 16 + (byte & 0xf)]!;
    if (low === noCode) return undefined;
    if ((low & hasSymbol) !== 0) text[length++] = low >> symbolShift;
    node = low & 0xff;
  }
  return mayEnd[node] === 1 ? text.toString('latin1', 0, length) : undefined;
}

function stepFrom(from: number, half: number): number {
  let node = from;
  let symbolBits = 0;
  for (let mask = 8; mask > 0; mask >>= 1) {
    const next = tree[2 * node + ((half & mask) === 0 ? 0 : 1)]!;
    if (~next === endOfString) return noCode;
    if (next < 0) symbolBits = hasSymbol | (~next << symbolShift);
    node = Math.max(next, 0);
  }
  return node | symbolBits;
}

function treeOf(lengths: readonly number[]): readonly number[] {
  const cells = [0, 0];
  const symbols = [...lengths.keys()].sort((a, b) => lengths[a]! - lengths[b]! || a - b);
  let code = 0;
  let codeLength = 0;
  for (const symbol of symbols) {
    const length = lengths[symbol]!;
    code *= 2 ** (length - codeLength);
    codeLength = length;
    insert(cells, code++, length, symbol);
  }
  return cells;
}

function insert(cells: number[], code: number, length: number, symbol: number): void {
  let node = 0;
  for (let bit = length - 1; bit > 0; bit--) {
    const cell = 2 * node + ((code >> bit) & 1);
    if (cells[cell] === 0) {
      cells[cell] = cells.length / 2;
      cells.push(0, 0);
    }
    node = cells[cell]!;
  }
  cells[2 * node + (code & 1)] = ~symbol;
}
