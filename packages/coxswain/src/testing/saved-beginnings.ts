/**
 * Files with the initial contents of common kinds of clusters, shipped in the published package so that users don't
 * wait for their creation.
 */

import { createReadStream } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { MemoryStorage } from '@coxswain/storage';
import type { Beginning } from './beginnings.ts';

/** The index of snapshot files: `{"<kind>":{"file":"0.snapshot","revision":460,"nowMs":1767225601000}}`. */
type Index = Readonly<
  Record<string, { readonly file: string; readonly revision: number; readonly nowMs: number }>
>;

const published = path.join(import.meta.dirname, 'beginnings');
const indexFile = 'index.json';

/** Undefined if none was saved: when running from sources, or for an uncommon kind. */
export async function savedBeginning(kind: string, directory = published): Promise<Beginning | undefined> {
  const saved = (await readIndex(directory))[kind];
  if (saved === undefined) return undefined;
  const { file, revision, nowMs } = saved;
  const storage = await MemoryStorage.restored(createReadStream(path.join(directory, file)));
  return { snapshot: { revision, inMemory: storage.snapshot() }, nowMs, isDecoded: false };
}

export async function saveBeginnings(
  directory: string,
  beginnings: Readonly<Record<string, Beginning>>,
): Promise<void> {
  await mkdir(directory, { recursive: true });
  const index: Record<string, Index[string]> = {};
  for (const [number, [kind, { snapshot, nowMs }]] of Object.entries(beginnings).entries()) {
    const file = `${number}.snapshot`;
    await writeFile(path.join(directory, file), snapshot.inMemory!);
    index[kind] = { file, revision: snapshot.revision, nowMs };
  }
  await writeFile(path.join(directory, indexFile), JSON.stringify(index));
}

async function readIndex(directory: string): Promise<Index> {
  try {
    return JSON.parse(await readFile(path.join(directory, indexFile), 'utf8')) as Index;
  } catch (failure) {
    if ((failure as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw failure;
  }
}
