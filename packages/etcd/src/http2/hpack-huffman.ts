/**
 * RFC 7541, appendix B. The code is canonical: sorted by length, then by symbol, each code is the one before
 * it plus one. So the lengths are all there is to know.
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
/** The end of a string, which never comes: its beginning is what strings are filled up with. */
const endOfString = 256;
const endOfStringLength = 30;
/** Filling is less than a byte, all ones. */
const fillBitsMax = 7;

/**
 * A binary tree in two cells a node: what follows on a 0, what on a 1. A positive number is a node, a negative
 * one is the complement of a symbol.
 */
const tree = treeOf([...codeLengths, endOfStringLength]);

/** The bytes, one character each; undefined when they are no Huffman code. */
export function decodeHuffman(bytes: Uint8Array): string | undefined {
  let text = '';
  let node = 0;
  let bitsSinceSymbol = 0;
  let onlyOnes = true;
  for (const byte of bytes) {
    for (let mask = 0x80; mask > 0; mask >>= 1) {
      const bit = (byte & mask) === 0 ? 0 : 1;
      node = tree[2 * node + bit]!;
      bitsSinceSymbol++;
      onlyOnes &&= bit === 1;
      if (node >= 0) continue;
      if (~node === endOfString) return undefined;
      text += String.fromCharCode(~node);
      node = 0;
      bitsSinceSymbol = 0;
      onlyOnes = true;
    }
  }
  return bitsSinceSymbol <= fillBitsMax && onlyOnes ? text : undefined;
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
