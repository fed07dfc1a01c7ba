/** The sources in one file beside the bundles: recordings of the package show code beside their steps. */

import { globSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';

const root = path.join(import.meta.dirname, '../..');
/** The last percents take most of the time. */
const quality = 9;
/** Files repeat each other over more than the usual 4 MB. */
const windowBits = 24;

export async function packSources(directory: string): Promise<void> {
  const files = globSync('packages/*/src/**/*.ts', { cwd: root })
    .filter(
      (file) => !/\.(?:test|fixture)\.ts$/.test(file) && !file.includes(`${path.sep}testing${path.sep}`),
    )
    .toSorted()
    .map((file) => [file.replaceAll(path.sep, '/'), readFileSync(path.join(root, file), 'utf8')]);
  const packed = brotliCompressSync(JSON.stringify(Object.fromEntries(files)), {
    params: { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_LGWIN]: windowBits },
  });
  await writeFile(path.join(directory, 'sources.json.br'), packed);
}
