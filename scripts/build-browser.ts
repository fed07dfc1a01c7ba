/** `npm run build-browser`: builds `dist/browser`, modules that a page can import directly. */

import path from 'node:path';
import { buildBrowser, sizesOf } from './packs/browser.ts';

const root = path.join(import.meta.dirname, '..');
const directory = path.join(root, 'dist/browser');
const sizes = await sizesOf(directory, await buildBrowser({ root, directory }));
const kilobytes = (bytes: number): string => `${Math.round(bytes / 1000)} kB`;
console.log(
  `dist/browser: ${kilobytes(sizes.wholeBytes)} in brotli, ${kilobytes(sizes.startBytes)} before kubectl`,
);
