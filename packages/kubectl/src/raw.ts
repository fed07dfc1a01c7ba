/** Requests to an arbitrary path, for --raw. */
import { ConnectionError } from './errors.ts';
import { readFailureText } from '@coxswain/apimachinery/system-message.ts';
import { readFile } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import type { ApiRequest } from './api-client.ts';
import type { CommandContext } from './context.ts';

export function checkRawPath(path: string): void {
  if (!path.startsWith('/') && !/^[a-z][a-z\d+.-]*:/i.test(path)) {
    throw new Error(`--raw must be a valid URL path: parse "${path}": invalid URI for request`);
  }
  const [escape] = /%(?![\da-f]{2}).{0,2}/is.exec(path.replace(/\?.*$/s, '')) ?? [];
  if (escape !== undefined)
    throw new Error(`--raw must be a valid URL path: parse "${path}": invalid URL escape "${escape}"`);
}

export async function sendRaw(
  context: CommandContext,
  method: ApiRequest['method'],
  path: string,
  file?: string,
): Promise<void> {
  const client = await context.client();
  const body = file === undefined ? undefined : await readBody(context, file);
  const stream = await client.stream({
    method,
    path,
    // The default response, not the formats that kubectl usually requests.
    headers: { accept: '*/*' },
    ...(body === undefined ? {} : { body }),
    signal: context.signal,
  });
  try {
    for await (const chunk of stream) context.io.out.write(chunk);
  } catch (failure) {
    // A watch ends when the user stops it.
    if (context.signal?.aborted !== true) throw failure;
  }
}

async function readBody(context: CommandContext, file: string): Promise<Uint8Array> {
  if (file === '-') return new TextEncoder().encode(await context.io.stdin());
  try {
    return await readFile(isAbsolute(file) ? file : join(context.io.workingDirectory, file));
  } catch (failure) {
    const text = readFailureText(file, failure);
    // A directory fails while it is sent.
    if ((failure as NodeJS.ErrnoException).code === 'EISDIR') throw new ConnectionError(text, '', false);
    throw new Error(text, { cause: failure });
  }
}
