/** Packs the built site for `coxswain docs`. */

import { existsSync } from 'node:fs';
import { copyFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { archiveOf } from './archive.ts';

const dist = path.join(import.meta.dirname, '../../dist');
const packed = path.join(dist, 'docs.br');

/** Makes `dist/docs.br` of the site, of which a twentieth is left. A page and its translation share most of their text. */
export async function packDocs(): Promise<void> {
  const untranslated = (name: string) => name.replace(/^zh\//, '');
  const archive = await archiveOf(path.join(dist, 'site/html'), (a, b) =>
    untranslated(a).localeCompare(untranslated(b), 'en'),
  );
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
    [constants.BROTLI_PARAM_SIZE_HINT]: archive.length,
  };
  await writeFile(packed, brotliCompressSync(archive, { params }));
  const built = path.join(dist, 'npm/lib');
  if (existsSync(built)) await addDocs(built);
}

/** @param lib of the package that is made, which has no documentation where the site was not built */
export async function addDocs(lib: string): Promise<void> {
  if (existsSync(packed)) await copyFile(packed, path.join(lib, 'docs.br'));
}
