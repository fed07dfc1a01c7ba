/** The files of a directory as one: a line of JSON, name → where a file begins and how long it is, then the bytes. */

import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

interface ArchiveOptions {
  /** The order of the files, by name: similar files compress better when they are near each other. */
  readonly before?: (a: string, b: string) => number;
  /** Selects the files by name; all if absent. */
  readonly has?: (name: string) => boolean;
}

export async function archiveOf(
  directory: string,
  { before = () => 0, has = () => true }: ArchiveOptions = {},
): Promise<Buffer> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isFile())
    .map((entry) =>
      path.relative(directory, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/'),
    );
  const places: Record<string, [start: number, length: number]> = {};
  const parts: Buffer[] = [];
  let end = 0;
  for (const name of names.filter(has).toSorted(before)) {
    const bytes = await readFile(path.join(directory, name));
    places[name] = [end, bytes.length];
    parts.push(bytes);
    end += bytes.length;
  }
  return Buffer.concat([Buffer.from(`${JSON.stringify(places)}\n`), ...parts]);
}
