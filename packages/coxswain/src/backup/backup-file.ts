/**
 * The file format of a backup: lines of JSON, which other tools can read. The first line describes the backup, each of
 * the following holds an object and its resource, and the last holds their number and the SHA-256 of all lines before
 * it.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { KubeObject } from '@coxswain/apimachinery';

const format = 'coxswain.io/backup/v1';
/** A longer line cannot belong to a backup. */
const lineCharactersMax = 64 * 1024 * 1024;

export interface BackupHead {
  readonly format: typeof format;
  /** The version of the server: `v1.36.3`. */
  readonly kubernetesVersion: string;
  /** RFC 3339. */
  readonly takenAt: string;
}

export interface BackedUp {
  readonly resource: {
    readonly group: string;
    readonly version: string;
    readonly resource: string;
    readonly namespaced: boolean;
  };
  readonly object: KubeObject;
}

interface End {
  readonly end: { readonly objects: number; readonly sha256: string };
}

/** Encodes these objects as the bytes of a backup. */
export async function* encodeBackup(
  about: Omit<BackupHead, 'format'>,
  objects: AsyncIterable<BackedUp>,
): AsyncGenerator<Uint8Array, void, void> {
  const hash = createHash('sha256');
  const lineOf = (value: object): Buffer => {
    const line = Buffer.from(`${JSON.stringify(value)}\n`);
    hash.update(line);
    return line;
  };
  let count = 0;
  yield lineOf({ format, ...about } satisfies BackupHead);
  for await (const each of objects) {
    count++;
    yield lineOf(each);
  }
  const sha256 = hash.copy().digest('hex');
  yield lineOf({ end: { objects: count, sha256 } } satisfies End);
}

/**
 * Reads the whole file before anything relies on it. @throws Error for a file that is not a backup, is damaged or
 * truncated, or has a later format
 */
export async function checkBackup(file: string): Promise<BackupHead & { readonly objects: number }> {
  const hash = createHash('sha256');
  let head: BackupHead | undefined;
  let end: End['end'] | undefined;
  let objects = 0;
  for await (const line of linesOf(file)) {
    if (end !== undefined) throw damaged(file, 'something follows its end');
    const value = parsed(line, file, head === undefined);
    if (head === undefined) head = headIn(value, file);
    else if ('end' in value) end = (value as End).end;
    else objects++;
    if (end === undefined) hash.update(`${line}\n`);
  }
  if (head === undefined) throw new Error(`${file} is not a backup of Coxswain: it is empty`);
  if (end === undefined) throw damaged(file, 'it is cut off');
  if (end.objects !== objects || end.sha256 !== hash.digest('hex'))
    throw damaged(file, 'its checksum is another one');
  return { ...head, objects };
}

/** Yields the objects of a file that was checked before. */
export async function* objectsIn(file: string): AsyncGenerator<BackedUp, void, void> {
  for await (const line of linesOf(file)) {
    const value = JSON.parse(line) as BackedUp | BackupHead | End;
    if ('object' in value) yield value;
  }
}

const linesOf = (file: string): AsyncIterable<string> =>
  createInterface({ input: createReadStream(file, 'utf8'), crlfDelay: Infinity });

function parsed(line: string, file: string, isFirst: boolean): object {
  try {
    if (line.length > lineCharactersMax) throw new Error('too long');
    const value: unknown = JSON.parse(line);
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    // Reported below.
  }
  throw isFirst ? foreign(file) : damaged(file, 'a line is not JSON');
}

function headIn(value: object, file: string): BackupHead {
  const { format: found } = value as { readonly format?: unknown };
  if (found === format) return value as BackupHead;
  if (typeof found === 'string' && found.startsWith('coxswain.io/backup/'))
    throw new Error(`${file} has the format ${found}, which this version does not read`);
  throw foreign(file);
}

const foreign = (file: string): Error =>
  new Error(
    `${file} is not a backup of Coxswain: snapshots are restored with "coxswain storage snapshot restore", those of an etcd with "etcdutl snapshot restore"`,
  );

const damaged = (file: string, what: string): Error =>
  new Error(`the backup ${file} is damaged: ${what}; nothing was restored`);
