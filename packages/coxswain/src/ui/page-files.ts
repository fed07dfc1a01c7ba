/** The files of the page, as the build has put them beside the bundle, or in `dist` of a checkout. */

import { readFileSync, readdirSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import path from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { refuse } from './answers.ts';
import { contentTypes } from './content-types.ts';

export interface PageFiles {
  /** A path that is no file is one of the page's own. */
  answer(pathname: string, request: IncomingMessage, response: ServerResponse): void;
}

const places = ['ui', '../../../../dist/ui'].map((place) => path.join(import.meta.dirname, place));

/** A page of its own. */
export const recordingPath = '/recording';

/** Built files are compressed, and bear this after their names. */
const compressed = '.br';

/** Built under names that change with what is in them. */
const assets = '/assets/';

/** @throws Error where the page was not built */
export function pageFiles(): PageFiles {
  const folder = places.find((place) => namesIn(place).includes(`index.html${compressed}`));
  if (folder === undefined) throw new Error('the page was not built: run "npm run build" first');
  return {
    answer(pathname, request, response) {
      // Asked each time: a checkout may be built again while it runs.
      const isFile = namesIn(folder).includes(`${pathname.slice(1)}${compressed}`);
      if (!isFile && pathname.startsWith(assets)) return refuse(response, 404, 'There is no such file');
      const name = isFile ? pathname : pathname === recordingPath ? '/recording.html' : '/index.html';
      response.setHeader('content-type', contentTypes[path.extname(name)] ?? 'application/octet-stream');
      if (name.startsWith(assets))
        response.setHeader('cache-control', 'private, max-age=31536000, immutable');
      const bytes = readFileSync(path.join(folder, `${name}${compressed}`));
      if (!/\bbr\b/.test(String(request.headers['accept-encoding'] ?? '')))
        return void response.end(brotliDecompressSync(bytes));
      response.setHeader('content-encoding', 'br');
      response.end(bytes);
    },
  };
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith(compressed))
      .map((name) => name.replaceAll('\\', '/'));
  } catch {
    return [];
  }
}
