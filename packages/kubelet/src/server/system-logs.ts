/** `/logs/…`: serves the machine's own logs as files and directories. */
import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { htmlText } from '@coxswain/apimachinery/html-text.ts';
import { textResponse } from '@coxswain/apiserver/http/api-response.ts';
import type { ApiRequest, ApiResponse } from '@coxswain/apiserver';
import { streamedLog } from './log-stream.ts';

const notFound = (): ApiResponse => textResponse(404, '404 page not found\n');

/** @param root `/var/log` */
export async function systemLogs(request: ApiRequest, root: string): Promise<ApiResponse> {
  const asked = request.info.path.replace(/^\/logs/, '');
  // Made absolute first, so that `..` can't lead out of the directory.
  const place = path.join(root, path.posix.normalize(`/${asked}`));
  const stats = await stat(place).catch(() => undefined);
  if (stats === undefined) return notFound();
  if (stats.isFile()) return streamedLog(createReadStream(place));
  if (!stats.isDirectory()) return notFound();
  if (!asked.endsWith('/')) return movedTo(`${path.posix.basename(request.info.path)}/`);
  return listing(place);
}

const movedTo = (location: string): ApiResponse => ({
  ...textResponse(301, ''),
  headers: { location },
});

async function listing(directory: string): Promise<ApiResponse> {
  const entries = await readdir(directory, { withFileTypes: true });
  const lines = entries
    .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name))
    .sort()
    .map((name) => `<a href="${encodeURI(name)}">${htmlText(name)}</a>`);
  const text = `<!doctype html>\n<meta name="viewport" content="width=device-width">\n<pre>\n${lines.join('\n')}\n</pre>\n`;
  return textResponse(200, text, 'text/html; charset=utf-8');
}
