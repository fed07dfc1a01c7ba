/** The rows of a reference table: tab-separated, compressed, the first line its column names. */

import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

export function referenceRows(name: string): readonly Readonly<Record<string, string>>[] {
  const text = gunzipSync(readFileSync(new URL(`${name}.tsv.gz`, import.meta.url))).toString();
  const [header, ...lines] = text
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t'));
  return lines.map((cells) =>
    Object.fromEntries(header!.map((column, index) => [column, cells[index] ?? ''])),
  );
}
