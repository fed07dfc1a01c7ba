/** Packs the built site for `coxswain docs`. */

import { existsSync } from 'node:fs';
import { copyFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { archiveOf } from './archive.ts';

/** The directory of the site that contains the modules of the clusters in its pages. */
export const liveDirectory = 'live';

const dist = path.join(import.meta.dirname, '../../dist');
const packed = path.join(dist, 'docs.br');

/**
 * Makes `dist/docs.br` of the site, of which a twentieth is left. A page, its script and its translation share most of their
 * text, and lie side by side.
 */
export async function packDocs(): Promise<void> {
  const archive = await archiveOf(path.join(dist, 'site/html'), {
    before: (a, b) => pageOf(a).localeCompare(pageOf(b), 'en'),
    // The package already contains these modules.
    has: (name) => !name.startsWith(`${liveDirectory}/`),
  });
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
    [constants.BROTLI_PARAM_SIZE_HINT]: archive.length,
  };
  await writeFile(packed, brotliCompressSync(archive, { params }));
  const built = path.join(dist, 'npm/lib');
  if (existsSync(built)) await addDocs(built);
}

/** `assets/zh_learn_storage.md.D2KrqWkW.lean.js` and `zh/learn/storage.html` are both `learn/storage`. */
const pageOf = (name: string): string =>
  name
    .replace(/^assets\//, '')
    .replace(/\.md\.[\w-]+?(?:\.lean)?\.js$|\.html$/, '')
    .replaceAll('_', '/')
    .replace(/^zh\//, '');

/** @param lib of the package that is made, which has no documentation where the site was not built */
export async function addDocs(lib: string): Promise<void> {
  if (existsSync(packed)) await copyFile(packed, path.join(lib, 'docs.br'));
}
