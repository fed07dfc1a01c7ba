/**
 * Unified diffs as in upstream's messages. Of several minimal diffs the one of Python's difflib is chosen: the longest
 * common block first, then left and right of it; lines that are frequent in a long text start no block.
 */

const contextLines = 3;

/** For two texts, without file names; empty when they are equal. */
export function unifiedDiff(before: string, after: string): string {
  const a = splitLines(before);
  const b = splitLines(after);
  let text = '';
  for (const group of groupsOf(lineChanges(a, b))) {
    const first = group[0]!;
    const last = group.at(-1)!;
    text += `@@ -${rangeText(first.aStart, last.aEnd)} +${rangeText(first.bStart, last.bEnd)} @@\n`;
    for (const { isEqual, aStart, aEnd, bStart, bEnd } of group) {
      if (isEqual) for (const line of a.slice(aStart, aEnd)) text += ` ${line}`;
      else {
        for (const line of a.slice(aStart, aEnd)) text += `-${line}`;
        for (const line of b.slice(bStart, bEnd)) text += `+${line}`;
      }
    }
  }
  return text;
}

/** Each line with its newline; a missing final one is added. */
const splitLines = (text: string): string[] => text.split('\n').map((line) => `${line}\n`);

/** A part of both texts: lines `aStart` to `aEnd` of one are lines `bStart` to `bEnd` of the other, or became them. */
interface LineChange {
  readonly isEqual: boolean;
  readonly aStart: number;
  readonly aEnd: number;
  readonly bStart: number;
  readonly bEnd: number;
}

function rangeText(start: number, end: number): string {
  const length = end - start;
  if (length === 1) return `${start + 1}`;
  return `${length === 0 ? start : start + 1},${length}`;
}

interface Block {
  readonly a: number;
  readonly b: number;
  readonly size: number;
}

/** Both texts, part by part, in order. */
export function lineChanges(a: readonly string[], b: readonly string[]): LineChange[] {
  const changes: LineChange[] = [];
  let [aAt, bAt] = [0, 0];
  for (const block of matchingBlocks(a, b)) {
    if (aAt < block.a || bAt < block.b) {
      changes.push({ isEqual: false, aStart: aAt, aEnd: block.a, bStart: bAt, bEnd: block.b });
    }
    [aAt, bAt] = [block.a + block.size, block.b + block.size];
    if (block.size > 0)
      changes.push({ isEqual: true, aStart: block.a, aEnd: aAt, bStart: block.b, bEnd: bAt });
  }
  return changes;
}

function matchingBlocks(a: readonly string[], b: readonly string[]): Block[] {
  const places = placesOf(b);
  const found: Block[] = [];
  const search = (aStart: number, aEnd: number, bStart: number, bEnd: number): void => {
    const block = longestMatch(a, b, places, aStart, aEnd, bStart, bEnd);
    if (block.size === 0) return;
    if (aStart < block.a && bStart < block.b) search(aStart, block.a, bStart, block.b);
    found.push(block);
    const [aAfter, bAfter] = [block.a + block.size, block.b + block.size];
    if (aAfter < aEnd && bAfter < bEnd) search(aAfter, aEnd, bAfter, bEnd);
  };
  search(0, a.length, 0, b.length);
  return [...joinAdjacent(found), { a: a.length, b: b.length, size: 0 }];
}

/** The positions of each line, without lines that make up more than 1 % of at least 200 lines. */
function placesOf(lines: readonly string[]): ReadonlyMap<string, readonly number[]> {
  const places = Map.groupBy(lines.keys(), (index) => lines[index]!);
  if (lines.length >= 200) {
    const countMax = Math.floor(lines.length / 100) + 1;
    for (const [line, at] of places) if (at.length > countMax) places.delete(line);
  }
  return places;
}

function longestMatch(
  a: readonly string[],
  b: readonly string[],
  places: ReadonlyMap<string, readonly number[]>,
  aStart: number,
  aEnd: number,
  bStart: number,
  bEnd: number,
): Block {
  let best: Block = { a: aStart, b: bStart, size: 0 };
  let lengths = new Map<number, number>();
  for (let i = aStart; i < aEnd; i++) {
    const next = new Map<number, number>();
    for (const j of places.get(a[i]!) ?? []) {
      if (j < bStart) continue;
      if (j >= bEnd) break;
      const size = (lengths.get(j - 1) ?? 0) + 1;
      next.set(j, size);
      if (size > best.size) best = { a: i - size + 1, b: j - size + 1, size };
    }
    lengths = next;
  }
  let { a: i, b: j, size } = best;
  for (; i > aStart && j > bStart && a[i - 1] === b[j - 1]; i--, j--) size++;
  for (; i + size < aEnd && j + size < bEnd && a[i + size] === b[j + size];) size++;
  return { a: i, b: j, size };
}

function joinAdjacent(blocks: readonly Block[]): Block[] {
  const joined: Block[] = [];
  for (const block of blocks) {
    const last = joined.at(-1);
    if (last !== undefined && last.a + last.size === block.a && last.b + last.size === block.b) {
      joined[joined.length - 1] = { ...last, size: last.size + block.size };
    } else joined.push(block);
  }
  return joined;
}

/** Changes with their context; a long equal stretch ends a group. */
function groupsOf(changes: readonly LineChange[]): LineChange[][] {
  const codes = [...changes];
  if (codes.length === 0) return [];
  const first = codes[0]!;
  if (first.isEqual) codes[0] = lastLines(first);
  const last = codes.at(-1)!;
  if (last.isEqual) codes[codes.length - 1] = firstLines(last);
  const groups: LineChange[][] = [];
  let group: LineChange[] = [];
  for (const code of codes) {
    if (code.isEqual && code.aEnd - code.aStart > 2 * contextLines) {
      group.push(firstLines(code));
      groups.push(group);
      group = [lastLines(code)];
    } else group.push(code);
  }
  groups.push(group);
  return groups.filter((each) => each.length > 0 && !(each.length === 1 && each[0]!.isEqual));
}

const firstLines = (code: LineChange): LineChange => ({
  ...code,
  aEnd: Math.min(code.aEnd, code.aStart + contextLines),
  bEnd: Math.min(code.bEnd, code.bStart + contextLines),
});

const lastLines = (code: LineChange): LineChange => ({
  ...code,
  aStart: Math.max(code.aStart, code.aEnd - contextLines),
  bStart: Math.max(code.bStart, code.bEnd - contextLines),
});
