/**
 * Walks the B-trees of an LMDB file and looks at every page's header and every node's place, so that a file
 * in which something else has written is refused with a message: LMDB itself trusts its file, and ends the
 * process, or worse, when it is wrong. What is in the values is not looked at.
 */

const at = { number: 0, flags: 18, lower: 20, upper: 22, pageCount: 20 };
const headerBytes = 24;
const flags = { branch: 0x01, leaf: 0x02, overflow: 0x04 } as const;
const nodeHeadBytes = 8;
const nodeFlags = { big: 0x01, table: 0x02 } as const;
/** Of a table, in the value of its node and in the meta page. */
const tableBytes = 48;
const rootAt = 40;
const noPage = 2 ** 64;
const depthMax = 32;

export interface PageFile {
  readonly bytes: Buffer;
  readonly pageBytes: number;
  readonly lastPage: number;
}

/** The first thing that is wrong with the tree of the table at `tableAt`, and with all tables in it. */
export function problemInTable(file: PageFile, tableAt: number, depth = 0): string | undefined {
  const root = Number(file.bytes.readBigUInt64LE(tableAt + rootAt));
  return root === noPage ? undefined : problemInPage(file, root, depth);
}

function problemInPage(file: PageFile, page: number, depth: number): string | undefined {
  if (page < 2 || page > file.lastPage || depth > depthMax) return `page ${page} cannot be`;
  const start = page * file.pageBytes;
  const { bytes } = file;
  const kind = bytes.readUInt16LE(start + at.flags) & 0x0f;
  if (Number(bytes.readBigUInt64LE(start + at.number)) !== page) return `page ${page} is damaged`;
  if (kind !== flags.branch && kind !== flags.leaf) return `page ${page} is damaged`;
  const lower = bytes.readUInt16LE(start + at.lower);
  const upper = bytes.readUInt16LE(start + at.upper);
  const spaceBytes = file.pageBytes - headerBytes;
  if (lower % 2 !== 0 || lower > upper || upper > spaceBytes) return `page ${page} is damaged`;
  for (let index = 0; index < lower / 2; index++) {
    const offset = bytes.readUInt16LE(start + headerBytes + 2 * index);
    if (offset < upper || offset + nodeHeadBytes > spaceBytes) return `page ${page} is damaged`;
    const node = { page, start: start + headerBytes + offset, end: start + file.pageBytes };
    const problem =
      kind === flags.branch ? problemBelow(file, node, depth) : problemInLeafNode(file, node, depth);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

interface Node {
  readonly page: number;
  readonly start: number;
  /** Of its page. */
  readonly end: number;
}

/** The number of the page below is spread over size and flags. */
function problemBelow(file: PageFile, { start }: Node, depth: number): string | undefined {
  const low = file.bytes.readUInt32LE(start);
  const high = file.bytes.readUInt16LE(start + 4);
  return problemInPage(file, high * 2 ** 32 + low, depth + 1);
}

function problemInLeafNode(file: PageFile, { page, start, end }: Node, depth: number): string | undefined {
  const { bytes } = file;
  const valueBytes = bytes.readUInt32LE(start);
  const kind = bytes.readUInt16LE(start + 4);
  const valueAt = start + nodeHeadBytes + bytes.readUInt16LE(start + 6);
  const heldBytes = kind & nodeFlags.big ? 8 : valueBytes;
  if (valueAt + heldBytes > end) return `page ${page} is damaged`;
  if (kind & nodeFlags.big)
    return problemInOverflow(file, Number(bytes.readBigUInt64LE(valueAt)), valueBytes);
  if ((kind & nodeFlags.table) === 0) return undefined;
  return valueBytes === tableBytes ? problemInTable(file, valueAt, depth + 1) : `page ${page} is damaged`;
}

/** A value that fills pages of its own. */
function problemInOverflow(file: PageFile, page: number, valueBytes: number): string | undefined {
  if (page < 2 || page > file.lastPage) return `page ${page} cannot be`;
  const start = page * file.pageBytes;
  const { bytes, pageBytes, lastPage } = file;
  const pageCount = bytes.readUInt32LE(start + at.pageCount);
  const isWhole =
    Number(bytes.readBigUInt64LE(start + at.number)) === page &&
    (bytes.readUInt16LE(start + at.flags) & flags.overflow) !== 0 &&
    page + pageCount - 1 <= lastPage &&
    headerBytes + valueBytes <= pageCount * pageBytes;
  return isWhole ? undefined : `page ${page} is damaged`;
}
