/**
 * Reads the documentation of this version as packed by `npm run site` (`scripts/packs/docs.ts`): one Brotli stream of a
 * line of JSON, which maps names to offset and length, followed by the files.
 */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { brotliDecompressSync } from 'node:zlib';

/** By path in the site: `learn/objects.html`. */
export type Documents = ReadonlyMap<string, Uint8Array>;

/** Several times the current size. */
const unpackedBytesMax = 128 * 1024 * 1024;

/** Next to the bundle, or in `dist` of a checkout. */
const places = ['docs.br', '../../../../dist/docs.br'].map((place) => path.join(import.meta.dirname, place));

const moduleDirectories = ['../browser', '../../../../dist/site/html/live'].map((place) =>
  path.join(import.meta.dirname, place),
);

/** @throws Error if there is no documentation, or it cannot be read */
export function documents(): Documents {
  const packed = places.map(contentOf).find((bytes) => bytes !== undefined);
  if (packed === undefined)
    throw new Error(
      'this program has no documentation in it: "npx coxswain docs" serves it from the npm package, and in a checkout "npm run site" builds it',
    );
  const bytes = brotliDecompressSync(packed, { maxOutputLength: unpackedBytesMax });
  const end = bytes.indexOf(10);
  const index = JSON.parse(bytes.toString('utf8', 0, end)) as Record<string, [start: number, length: number]>;
  const pages = new Map(
    Object.entries(index).map(([name, [start, length]]) => {
      const from = end + 1 + start;
      return [name, bytes.subarray(from, from + length)] as const;
    }),
  );
  return new Map<string, Uint8Array>([...pages, ...liveModules()]);
}

/** The clusters on the pages come from `coxswain/browser`, which the package includes. */
function liveModules(): readonly (readonly [string, Uint8Array])[] {
  const directory = moduleDirectories.find((each) => existsSync(path.join(each, 'element.js')));
  if (directory === undefined) return [];
  return readdirSync(directory).map((name) => [`live/${name}`, readFileSync(path.join(directory, name))]);
}

function contentOf(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch (failure) {
    if ((failure as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw failure;
  }
}
