/**
 * Writes a database file of bbolt, etcd's storage: pages of 4 KiB, of which the first two describe the file and one
 * lists free pages (none). The others are B+ trees, one per bucket, below a tree of bucket names.
 */
import type { Spool } from './spool.ts';
import { periodicYield } from './periodic-yield.ts';

export interface BucketContent {
  readonly name: string;
  /** In ascending order of keys. */
  readonly rows: Iterable<Row>;
}

export interface Row {
  readonly key: Buffer;
  readonly value: Buffer;
}

const pageBytes = 4096;
const pageHeadBytes = 16;
const elementBytes = 16;
const pageKinds = { branch: 1, leaf: 2, meta: 4, freelist: 16 } as const;
const bucketFlag = 1;
const magic = 0xed0cdaed;
const formatVersion = 2;
/** Pages 0 and 1 describe the file for different transactions; the valid one with the higher number counts. */
const metaPages = 2;
const metaBytes = 64;

interface Child {
  readonly key: Buffer;
  readonly page: number;
}

/** `buckets` in ascending order of names. */
export async function writeBboltFile(spool: Spool, buckets: readonly BucketContent[]): Promise<void> {
  const pages = new PageWriter(spool);
  spool.append(Buffer.alloc(metaPages * pageBytes));
  const freelist = pages.write(pageKinds.freelist, []);
  const roots: Element[] = [];
  for (const { name, rows } of buckets) {
    roots.push({
      key: Buffer.from(name),
      value: bucketHead(await writeTree(pages, rows)),
      flags: bucketFlag,
    });
  }
  const root = treeOver(pages, pages.writeAll(pageKinds.leaf, roots));
  const end = spool.bytes / pageBytes;
  for (let transaction = 0; transaction < metaPages; transaction++) {
    spool.overwrite(transaction * pageBytes, metaPage({ transaction, root, freelist, end }));
  }
}

/** The number of its root page. */
async function writeTree(pages: PageWriter, rows: Iterable<Row>): Promise<number> {
  const turns = periodicYield();
  const leaves: Child[] = [];
  let waiting: Element[] = [];
  let bytes = pageHeadBytes;
  for (const { key, value } of rows) {
    const size = elementBytes + key.length + value.length;
    if (waiting.length > 0 && bytes + size > pageBytes) {
      leaves.push({ key: waiting[0]!.key, page: pages.write(pageKinds.leaf, waiting) });
      waiting = [];
      bytes = pageHeadBytes;
    }
    waiting.push({ key, value, flags: 0 });
    bytes += size;
    await turns.next();
  }
  leaves.push({ key: waiting[0]?.key ?? Buffer.alloc(0), page: pages.write(pageKinds.leaf, waiting) });
  return treeOver(pages, leaves);
}

/** Adds levels of branches until a single root remains. */
function treeOver(pages: PageWriter, children: readonly Child[]): number {
  if (children.length === 1) return children[0]!.page;
  const elements = children.map(({ key, page }): Element => ({ key, page }));
  return treeOver(pages, pages.writeAll(pageKinds.branch, elements));
}

/** An element of a leaf has a value; an element of a branch has the page whose first key is `key`. */
type Element =
  | { readonly key: Buffer; readonly value: Buffer; readonly flags: number }
  | { readonly key: Buffer; readonly page: number };

const bytesOf = (element: Element): number =>
  elementBytes + element.key.length + ('value' in element ? element.value.length : 0);

class PageWriter {
  readonly #spool: Spool;

  constructor(spool: Spool) {
    this.#spool = spool;
  }

  /** As many pages as needed. */
  writeAll(kind: number, elements: readonly Element[]): readonly Child[] {
    const children: Child[] = [];
    for (let start = 0; start < elements.length;) {
      let end = start;
      for (let bytes = pageHeadBytes; end < elements.length; end++) {
        bytes += bytesOf(elements[end]!);
        if (bytes > pageBytes && end > start) break;
      }
      children.push({ key: elements[start]!.key, page: this.write(kind, elements.slice(start, end)) });
      start = end;
    }
    return children;
  }

  /** Writes one page, with overflow pages if an element is large. Returns its number. */
  write(kind: number, elements: readonly Element[]): number {
    const bytes = elements.reduce((sum, element) => sum + bytesOf(element), pageHeadBytes);
    const count = Math.ceil(bytes / pageBytes);
    const page = Buffer.alloc(count * pageBytes);
    const number = this.#spool.bytes / pageBytes;
    page.writeBigUInt64LE(BigInt(number), 0);
    page.writeUInt16LE(kind, 8);
    page.writeUInt16LE(elements.length, 10);
    page.writeUInt32LE(count - 1, 12);
    let dataAt = pageHeadBytes + elements.length * elementBytes;
    for (const [index, element] of elements.entries()) {
      dataAt = writeElement(page, pageHeadBytes + index * elementBytes, dataAt, element);
    }
    this.#spool.append(page);
    return number;
  }
}

/** The offset of the next element's data. */
function writeElement(page: Buffer, at: number, dataAt: number, element: Element): number {
  const { key } = element;
  const end = dataAt + key.copy(page, dataAt);
  if ('page' in element) {
    page.writeUInt32LE(dataAt - at, at);
    page.writeUInt32LE(key.length, at + 4);
    page.writeBigUInt64LE(BigInt(element.page), at + 8);
    return end;
  }
  page.writeUInt32LE(element.flags, at);
  page.writeUInt32LE(dataAt - at, at + 4);
  page.writeUInt32LE(key.length, at + 8);
  page.writeUInt32LE(element.value.length, at + 12);
  return end + element.value.copy(page, end);
}

/** Root page and sequence. */
function bucketHead(root: number): Buffer {
  const head = Buffer.alloc(16);
  head.writeBigUInt64LE(BigInt(root), 0);
  return head;
}

function metaPage(options: {
  readonly transaction: number;
  readonly root: number;
  readonly freelist: number;
  readonly end: number;
}): Buffer {
  const page = Buffer.alloc(pageBytes);
  page.writeBigUInt64LE(BigInt(options.transaction), 0);
  page.writeUInt16LE(pageKinds.meta, 8);
  const meta = page.subarray(pageHeadBytes, pageHeadBytes + metaBytes);
  meta.writeUInt32LE(magic, 0);
  meta.writeUInt32LE(formatVersion, 4);
  meta.writeUInt32LE(pageBytes, 8);
  meta.set(bucketHead(options.root), 16);
  meta.writeBigUInt64LE(BigInt(options.freelist), 32);
  meta.writeBigUInt64LE(BigInt(options.end), 40);
  meta.writeBigUInt64LE(BigInt(options.transaction), 48);
  meta.writeBigUInt64LE(fnv64a(meta.subarray(0, 56)), 56);
  return page;
}

/** The hash FNV-1a. */
function fnv64a(bytes: Uint8Array): bigint {
  let hash = 0xcbf29ce484222325n;
  for (const byte of bytes) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  return hash;
}
