/** The files of a folder as one: a line of JSON, name → where a file begins and how long it is, then the bytes. */

import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

/** @param before the order of the files, by name. Similar ones that are near each other are compressed better */
export async function archiveOf(
  folder: string,
  before: (a: string, b: string) => number = () => 0,
): Promise<Buffer> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/'));
  const places: Record<string, [start: number, length: number]> = {};
  const parts: Buffer[] = [];
  let end = 0;
  for (const name of names.toSorted(before)) {
    const bytes = await readFile(path.join(folder, name));
    places[name] = [end, bytes.length];
    parts.push(bytes);
    end += bytes.length;
  }
  return Buffer.concat([Buffer.from(`${JSON.stringify(places)}\n`), ...parts]);
}
