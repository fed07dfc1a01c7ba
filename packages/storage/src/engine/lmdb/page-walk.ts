/**
 * Walks the B-trees of an LMDB file without LMDB, which trusts its file and crashes the process, or worse, when it is
 * damaged. Each page is checked by itself (header, offsets of its nodes), in its place (keys ascend, and lie between
 * those of the branch above), and in the whole: the numbers of pages and rows match each table's, no page is used
 * twice, and no used page counts as free. So an outdated page of the same table is detected, too.
 */
import { readSync } from 'node:fs';

export const pageBytes = 4096;

const at = { number: 0, transaction: 8, flags: 18, lower: 20, upper: 22, pageCount: 20 };
const headerBytes = 24;
const spaceBytes = pageBytes - headerBytes;
const kinds = { branch: 0x01, leaf: 0x02, overflow: 0x04 } as const;
const nodeHeadBytes = 8;
const nodeFlags = { big: 0x01, table: 0x02 } as const;
/** No table here has several values under one key, which LMDB marks by further flags. */
const leafFlags: ReadonlySet<number> = new Set([0, nodeFlags.big, nodeFlags.table]);
/** A node's reference to a value with pages of its own: first page, transaction, number of pages. */
const bigValueBytes = 24;
/** The transaction in a copied file, whatever the pages themselves say. */
const copied = 1n;
const tableBytes = 48;
const noPage = 2 ** 64;
/** Other numbers of this size are rounded to the same value. */
const noPageStored = 2n ** 64n - 1n;
const depthMax = 32;
const metaPages = 2;

/** LMDB's description of a table: in its meta page, or as the value of its name in the main table. */
interface Table {
  readonly flags: number;
  readonly depth: number;
  readonly branchPages: number;
  readonly leafPages: number;
  readonly overflowPages: number;
  readonly entries: number;
  /** {@link noPage} when it is empty. */
  readonly root: number;
}

export interface Roots {
  readonly free: Table;
  readonly main: Table;
  readonly lastPage: number;
  readonly transaction: number;
}

/** `key` and `value` are valid until the visitor returns. */
export type VisitRow = (table: string, key: Buffer, value: Buffer) => void;

class PageDamage extends Error {}

/** The transaction that wrote the root page of a meta page: its own, unless something is damaged. */
export function rootTransaction(file: number, { main, transaction, lastPage }: Roots): number {
  if (main.root === noPage) return transaction;
  if (main.root > lastPage) return -1;
  const bytes = Buffer.alloc(headerBytes);
  readSync(file, bytes, 0, headerBytes, main.root * pageBytes);
  return Number(bytes.readBigUInt64LE(at.transaction));
}

export function readTable(bytes: Buffer, start: number): Table {
  const long = (offset: number): number => Number(bytes.readBigUInt64LE(start + offset));
  return {
    flags: bytes.readUInt16LE(start + 4),
    depth: bytes.readUInt16LE(start + 6),
    branchPages: long(8),
    leafPages: long(16),
    overflowPages: long(24),
    entries: long(32),
    root: bytes.readBigUInt64LE(start + 40) === noPageStored ? noPage : Math.min(long(40), noPage / 2),
  };
}

interface Counts {
  branchPages: number;
  leafPages: number;
  overflowPages: number;
  entries: number;
}

interface Place {
  readonly page: number;
  /** 1 for the root. */
  readonly depth: number;
  /** Keys here are not less than `low`, and less than `high`. */
  readonly low: Buffer | undefined;
  readonly high: Buffer | undefined;
}

interface Walked {
  readonly name: string;
  readonly table: Table;
  readonly compare: (a: Buffer, b: Buffer) => number;
  readonly counts: Counts;
}

interface Node {
  readonly key: Buffer;
  readonly flags: number;
  /** The size of its value; in a branch, it and `flags` contain the number of the page below. */
  readonly size: number;
  readonly valueAt: number;
}

const inUse = 1;
const isFree = 2;

export class PageWalk {
  readonly #file: number;
  readonly #roots: Roots;
  readonly #visit: VisitRow | undefined;
  readonly #onDamage: (damage: PageDamage) => void;
  readonly #pages: Uint8Array;
  /** One page for each depth, including the tables in the main table. */
  readonly #buffers: Buffer[] = [];
  #big: Buffer = Buffer.allocUnsafeSlow(16 * pageBytes);

  /**
   * @param visit without it, values with pages of their own are not read
   * @param onDamage called with each damage; the walk continues if it returns
   */
  constructor(
    file: number,
    roots: Roots,
    visit: VisitRow | undefined,
    onDamage: (damage: PageDamage) => void,
  ) {
    this.#file = file;
    this.#roots = roots;
    this.#visit = visit;
    this.#onDamage = onDamage;
    this.#pages = new Uint8Array(roots.lastPage + 1);
  }

  /** Walks all tables. */
  run(): void {
    const { free, main } = this.#roots;
    this.#walkTable('', main, 0, byteOrder);
    this.#walkTable('free', free, 0, numberOrder);
  }

  #walkTable(name: string, table: Table, depthBefore: number, compare: Walked['compare']): void {
    const counts: Counts = { branchPages: 0, leafPages: 0, overflowPages: 0, entries: 0 };
    const walked: Walked = { name, table, compare, counts };
    if (table.root !== noPage) {
      this.#walkPage(walked, { page: table.root, depth: 1, low: undefined, high: undefined }, depthBefore);
    }
    const isWhole =
      (table.root === noPage ? table.depth === 0 : table.depth <= depthMax) &&
      counts.branchPages === table.branchPages &&
      counts.leafPages === table.leafPages &&
      counts.overflowPages === table.overflowPages &&
      counts.entries === table.entries;
    if (!isWhole) this.#report(`the ${titleOf(name)} does not hold what it says`);
  }

  #walkPage(walked: Walked, place: Place, depthBefore: number): void {
    const { page, depth } = place;
    const { counts, table } = walked;
    try {
      this.#take(page, 1);
      const bytes = this.#readPage(page, depthBefore + depth);
      const isLeaf = kindOf(bytes) === kinds.leaf;
      if (isLeaf !== (depth === table.depth) || depth > table.depth) throw damagedPage(page);
      const nodes = nodesOf(bytes, page, isLeaf);
      mustBeInOrder(nodes, place, walked.compare, isLeaf);
      if (isLeaf) {
        counts.leafPages++;
        counts.entries += nodes.length;
        for (const node of nodes) this.#walkValue(walked, page, bytes, node, depthBefore + depth);
        return;
      }
      counts.branchPages++;
      for (const [index, { flags, size, key }] of nodes.entries()) {
        const low = index === 0 ? place.low : key;
        const high = nodes[index + 1]?.key ?? place.high;
        this.#walkPage(walked, { page: flags * 2 ** 32 + size, depth: depth + 1, low, high }, depthBefore);
      }
    } catch (failure) {
      if (!(failure instanceof PageDamage)) throw failure;
      this.#onDamage(failure);
    }
  }

  #walkValue(walked: Walked, page: number, bytes: Buffer, node: Node, depth: number): void {
    const { key, flags, size, valueAt } = node;
    if (flags & nodeFlags.big) {
      const value = this.#readBig(walked.name, page, bytes, node);
      walked.counts.overflowPages += Math.ceil((size + headerBytes) / pageBytes);
      this.#row(walked.name, key, value);
    } else if (flags & nodeFlags.table) {
      if (size !== tableBytes || walked.name !== '') throw damagedPage(page);
      const name = key.toString('latin1').replaceAll('\0', '');
      const table = readTable(bytes, valueAt);
      // Its keys and values are plain ones.
      if (table.flags !== 0 || bytes.readUInt32LE(valueAt) !== 0) throw damagedPage(page);
      this.#walkTable(name, table, depth, byteOrder);
    } else this.#row(walked.name, key, bytes.subarray(valueAt, valueAt + size));
  }

  #row(table: string, key: Buffer, value: Buffer): void {
    if (table === '') throw new PageDamage(`the ${titleOf('')} is damaged`);
    if (table === 'free') this.#takeFree(value);
    else this.#visit?.(table, key, value);
  }

  #readBig(name: string, page: number, bytes: Buffer, { size, valueAt }: Node): Buffer {
    const first = Number(bytes.readBigUInt64LE(valueAt));
    const pages = Math.ceil((size + headerBytes) / pageBytes);
    if (Number(bytes.readBigUInt64LE(valueAt + 16)) !== pages) throw damagedPage(page);
    this.#take(first, pages);
    if (this.#big.length < pages * pageBytes) this.#big = Buffer.allocUnsafeSlow(pages * pageBytes);
    const isRead = this.#visit !== undefined || name === 'free';
    const value = this.#big.subarray(0, headerBytes + (isRead ? size : 0));
    const bigTransaction = bytes.readBigUInt64LE(valueAt + 8);
    const isWhole =
      readSync(this.#file, value, 0, value.length, first * pageBytes) === value.length &&
      Number(value.readBigUInt64LE(at.number)) === first &&
      kindOf(value) === kinds.overflow &&
      (bigTransaction === copied || bigTransaction === value.readBigUInt64LE(at.transaction)) &&
      value.readUInt32LE(at.pageCount) === pages;
    if (!isWhole) throw damagedPage(first);
    return value.subarray(headerBytes);
  }

  /** The count, then page numbers: a negative one gives the number of pages that begin with the next one. */
  #takeFree(value: Buffer): void {
    const count = Number(value.readBigUInt64LE(0));
    if ((count + 1) * 8 > value.length) throw new PageDamage('the list of free pages is damaged');
    for (let index = 1; index <= count; index++) {
      const entry = Number(value.readBigInt64LE(8 * index));
      if (entry === 0) continue;
      const pages = entry < 0 ? -entry : 1;
      const first = entry < 0 && index < count ? Number(value.readBigInt64LE(8 * ++index)) : entry;
      this.#mark(first, pages, isFree);
    }
  }

  #take(page: number, pages: number): void {
    this.#mark(page, pages, inUse);
  }

  #mark(first: number, pages: number, as: number): void {
    const isThere = first >= metaPages && pages >= 1 && first + pages - 1 <= this.#roots.lastPage;
    if (!isThere) throw new PageDamage(`page ${first} cannot be`);
    for (let page = first; page < first + pages; page++) {
      if (this.#pages[page] !== 0) throw new PageDamage(`page ${page} is in two places`);
      this.#pages[page] = as;
    }
  }

  #readPage(page: number, depth: number): Buffer {
    const bytes = (this.#buffers[depth] ??= Buffer.allocUnsafeSlow(pageBytes));
    const isWhole =
      readSync(this.#file, bytes, 0, pageBytes, page * pageBytes) === pageBytes &&
      Number(bytes.readBigUInt64LE(at.number)) === page &&
      Number(bytes.readBigUInt64LE(at.transaction)) <= this.#roots.transaction &&
      (kindOf(bytes) === kinds.leaf || kindOf(bytes) === kinds.branch);
    if (!isWhole) throw damagedPage(page);
    return bytes;
  }

  #report(what: string): void {
    this.#onDamage(new PageDamage(what));
  }
}

const titleOf = (name: string): string =>
  name === '' ? 'list of tables' : name === 'free' ? 'list of free pages' : `table ${name}`;

const damagedPage = (page: number): PageDamage => new PageDamage(`page ${page} is damaged`);

const kindOf = (bytes: Buffer): number => bytes.readUInt16LE(at.flags);

const byteOrder = (a: Buffer, b: Buffer): number => a.compare(b);

/** Compares transaction numbers, under which free pages are listed. */
const numberOrder = (a: Buffer, b: Buffer): number =>
  Number(a.readBigUInt64LE()) - Number(b.readBigUInt64LE());

/** The nodes must exactly fill the space that the page declares as used. */
function nodesOf(bytes: Buffer, page: number, isLeaf: boolean): Node[] {
  const lower = bytes.readUInt16LE(at.lower);
  const upper = bytes.readUInt16LE(at.upper);
  if (lower % 2 !== 0 || lower > upper || upper > spaceBytes || lower === 0) throw damagedPage(page);
  const nodes: Node[] = [];
  let usedBytes = 0;
  for (let index = 0; index < lower / 2; index++) {
    const offset = bytes.readUInt16LE(headerBytes + 2 * index);
    if (offset < upper || offset + nodeHeadBytes > spaceBytes) throw damagedPage(page);
    const start = headerBytes + offset;
    const size = bytes.readUInt32LE(start);
    const flags = bytes.readUInt16LE(start + 4);
    if (isLeaf && !leafFlags.has(flags)) throw damagedPage(page);
    const keyAt = start + nodeHeadBytes;
    const valueAt = keyAt + bytes.readUInt16LE(start + 6);
    const heldBytes = !isLeaf ? 0 : flags & nodeFlags.big ? bigValueBytes : size;
    if (valueAt + heldBytes > pageBytes) throw damagedPage(page);
    usedBytes += nodeHeadBytes + valueAt - keyAt + heldBytes + ((valueAt - keyAt + heldBytes) % 2);
    nodes.push({ key: bytes.subarray(keyAt, valueAt), flags, size, valueAt });
  }
  if (usedBytes !== spaceBytes - upper) throw damagedPage(page);
  return nodes;
}

/** The first key of a branch is meaningless. */
function mustBeInOrder(
  nodes: readonly Node[],
  { page, low, high }: Place,
  compare: Walked['compare'],
  isLeaf: boolean,
): void {
  let before = low;
  for (const [index, { key }] of nodes.entries()) {
    if (!isLeaf && index === 0) continue;
    const isAfter = before === undefined || compare(before, key) < (isLeaf && index === 0 ? 1 : 0);
    if (!isAfter || (high !== undefined && compare(key, high) >= 0)) throw damagedPage(page);
    before = key;
  }
}
