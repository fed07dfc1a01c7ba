/** Serves the files of the page, which the build has placed next to the bundle, or in `dist` of a checkout. */

import { existsSync, readFileSync, readdirSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import path from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { refuse } from './answers.ts';
import { contentTypes } from './content-types.ts';

export interface PageFiles {
  /** A path that is not a file is a route within the page. */
  answer(pathname: string, request: IncomingMessage, response: ServerResponse): void;
}

const places = ['ui', '../../../../dist/ui'].map((place) => path.join(import.meta.dirname, place));

/** A page of its own. */
export const recordingPath = '/recording';

/** The suffix of compressed files. The single executable is compressed as a whole and contains uncompressed files. */
const compressed = '.br';

/** Files whose names contain a hash of their contents. */
const assets = '/assets/';

/** @throws Error if the page was not built */
export function pageFiles(): PageFiles {
  const directory = places.find((place) => namesIn(place).includes('index.html'));
  if (directory === undefined) throw new Error('the page was not built: run "npm run build" first');
  return {
    answer(pathname, request, response) {
      // Checked each time, since a checkout may be rebuilt while it runs.
      const isFile = namesIn(directory).includes(pathname.slice(1));
      if (!isFile && pathname.startsWith(assets)) return refuse(response, 404, 'There is no such file');
      const name = isFile ? pathname : pathname === recordingPath ? '/recording.html' : '/index.html';
      response.setHeader('content-type', contentTypes[path.extname(name)] ?? 'application/octet-stream');
      if (name.startsWith(assets))
        response.setHeader('cache-control', 'private, max-age=31536000, immutable');
      send(path.join(directory, name), request, response);
    },
  };
}

function send(file: string, request: IncomingMessage, response: ServerResponse): void {
  if (existsSync(file)) return void response.end(readFileSync(file));
  const bytes = readFileSync(`${file}${compressed}`);
  if (!/\bbr\b/.test(String(request.headers['accept-encoding'] ?? '')))
    return void response.end(brotliDecompressSync(bytes));
  response.setHeader('content-encoding', 'br');
  response.end(bytes);
}

/** Lists names without the compression suffix. */
function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(directory, path.join(entry.parentPath, entry.name)))
      .map((name) => name.replaceAll('\\', '/').replace(/\.br$/, ''));
  } catch {
    return [];
  }
}
