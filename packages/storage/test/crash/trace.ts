/** Parses strace's output into the steps that concern a store's files: its tables, its log, its superblock. */

export type DiskStep =
  | { readonly kind: 'write'; readonly file: string; readonly at: number; readonly bytes: Buffer }
  /**
   * Everything written to the file before; or, for a file whose writes are synced individually, what was written at
   * `at`.
   */
  | { readonly kind: 'sync'; readonly file: string; readonly at?: number }
  /** Replaces another file; assumed to be on disk at once. */
  | { readonly kind: 'rename'; readonly file: string; readonly to: string }
  | { readonly kind: 'reported'; readonly line: string };

const call = /^(\d+) +(\w+)\((.*)$/s;
const resumed = /^(\d+) +<\.\.\. \w+ resumed>(.*)$/s;
const unfinished = ' <unfinished ...>';

/**
 * A write counts from its beginning, since a disk may have it from then on; a sync and a report count from their end.
 */
export async function parseTrace(lines: AsyncIterable<string>): Promise<DiskStep[]> {
  const steps: DiskStep[] = [];
  const files: Files = new Map();
  const waiting = new Map<string, { readonly name: string; readonly text: string }>();
  for await (const line of lines) {
    const end = resumed.exec(line);
    if (end !== null) {
      const begun = waiting.get(end[1]!);
      waiting.delete(end[1]!);
      if (begun !== undefined) takeEnd(begun.name, begun.text + end[2]!, files, steps);
      continue;
    }
    const begin = call.exec(line);
    if (begin === null) continue;
    const [, thread, name, rest] = begin as unknown as [string, string, string, string];
    const isUnfinished = rest.endsWith(unfinished);
    const text = isUnfinished ? rest.slice(0, -unfinished.length) : rest;
    takeBegin(name, text, files, steps);
    if (isUnfinished) waiting.set(thread, { name, text });
    else takeEnd(name, text, files, steps);
  }
  return steps;
}

/** The names of the relevant files. */
const looksAt = /\/(data\.mdb(?:\.next)?|superblock|log\.\d)$/;

interface OpenFile {
  file: string;
  /** Whether each write is on disk when it returns. */
  readonly isSynced: boolean;
  /** The position of a write without an offset. */
  at: number;
}
type Files = Map<number, OpenFile>;

function takeBegin(name: string, text: string, files: Files, steps: DiskStep[]): void {
  if (name === 'write' && text.startsWith('1, ')) {
    // Acknowledged before it was reported, so it must be there when it is.
    for (const line of stringIn(text).toString().split('\n'))
      if (line !== '') steps.push({ kind: 'reported', line });
    return;
  }
  const file = files.get(Number.parseInt(text, 10));
  if (file === undefined) return;
  if (name === 'pwritev') throw new Error('this kind of write is not understood');
  if (name === 'lseek') file.at = Number(/, (\d+), SEEK_SET/.exec(text)?.[1] ?? file.at);
  else if (name === 'pwrite64') {
    steps.push({ kind: 'write', file: file.file, at: placeIn(text), bytes: stringIn(text) });
  } else if (name === 'writev') {
    const bytes = Buffer.concat(
      [...text.matchAll(/iov_base="([^"]*)"/g)].map(([, quoted]) => unquoted(quoted!)),
    );
    steps.push({ kind: 'write', file: file.file, at: file.at, bytes });
    if (file.isSynced) steps.push({ kind: 'sync', file: file.file, at: file.at });
    file.at += bytes.length;
  }
}

function takeEnd(name: string, text: string, files: Files, steps: DiskStep[]): void {
  const result = Number(/= (-?\d+)[^=]*$/.exec(text)?.[1] ?? -1);
  if (name === 'openat' && result >= 0) {
    const name = looksAt.exec(stringIn(text).toString())?.[1];
    if (name === undefined) files.delete(result);
    else files.set(result, { file: name, isSynced: /O_D?SYNC/.test(text), at: 0 });
  } else if (name === 'rename' && result === 0) {
    const [file, to] = stringsIn(text).map((path) => looksAt.exec(path.toString())?.[1]);
    if (file === undefined || to === undefined) return;
    steps.push({ kind: 'rename', file, to });
    for (const open of files.values()) if (open.file === file) open.file = to;
  } else if (name === 'pwrite64' && result > 0) {
    const file = files.get(Number.parseInt(text, 10));
    if (file?.isSynced === true) steps.push({ kind: 'sync', file: file.file, at: placeIn(text) });
  } else if (name === 'close') files.delete(Number.parseInt(text, 10));
  else if (/^f(data)?sync$/.test(name) && result === 0) {
    const file = files.get(Number.parseInt(text, 10));
    if (file !== undefined) steps.push({ kind: 'sync', file: file.file });
  }
}

/** The offset of a `pwrite64`. */
const placeIn = (text: string): number => Number(/, (\d+)(?:\)? += .*)?$/.exec(text)![1]);

/** The first string of a call; strace was told to print only `\x00` escapes. */
const stringIn = (text: string): Buffer => unquoted(/"([^"]*)"/.exec(text)![1]!);

const stringsIn = (text: string): Buffer[] =>
  [...text.matchAll(/"([^"]*)"/g)].map(([, quoted]) => unquoted(quoted!));

const unquoted = (quoted: string): Buffer => Buffer.from(quoted.replaceAll('\\x', ''), 'hex');
