/** An HTTP/1.1 server in a simulated container, on the bytes of one connection. */

import { joinedBytes } from '@coxswain/apimachinery/joined-bytes.ts';
import type { ExecStreams } from '@coxswain/kubelet/connection.ts';
import { ByteInput } from './byte-input.ts';
import {
  answerHead,
  hasBody,
  headerOf,
  parseHeader,
  type HttpRequest,
  type HttpServer,
} from './http-message.ts';
import { ConnectionReset } from './pod-network.ts';

const headBytesMax = 64 * 1024;
/** Limits of one request. */
export const requestBytesMax = 16 * 1024 * 1024;

/** Answers requests until the connection ends. @throws ConnectionReset if the server aborts */
export async function serveConnection(server: HttpServer, streams: ExecStreams): Promise<void> {
  const input = new ByteInput(streams.stdin ?? nothing());
  for (let request = await readRequest(input); request; request = await readRequest(input)) {
    const { method } = request;
    const answer = await server(request);
    const isLast = request.isLast;
    await streams.stdout?.(new TextEncoder().encode(answerHead(answer, isLast)));
    if (method !== 'HEAD' && hasBody(answer.status) && answer.body.length > 0)
      await streams.stdout?.(answer.body);
    if (isLast) return;
  }
}

/**
 * Returns undefined at the end, and for input that is not a request. @throws ConnectionReset for a request that is too
 * large
 */
async function readRequest(
  input: ByteInput,
): Promise<(HttpRequest & { readonly isLast: boolean }) | undefined> {
  const lines: string[] = [];
  let bytes = 0;
  for (;;) {
    const line = (await input.line(headBytesMax))?.replace(/\r$/, '');
    if (line === undefined) return undefined;
    if (line === '' && lines.length > 0) break;
    if (line !== '') lines.push(line);
    bytes += line.length;
    if (bytes > headBytesMax) throw new ConnectionReset();
  }
  const [method = '', path = '', version = ''] = lines[0]!.split(' ');
  if (!version.startsWith('HTTP/')) return undefined;
  const headers = lines.slice(1).map(parseHeader);
  const isLast = version === 'HTTP/1.0' || headerOf({ headers }, 'connection')?.toLowerCase() === 'close';
  return { method, path, headers, body: await readBody(input, headers), isLast };
}

async function readBody(input: ByteInput, headers: HttpRequest['headers']): Promise<Uint8Array> {
  if (headerOf({ headers }, 'transfer-encoding')?.toLowerCase() === 'chunked') return readChunks(input);
  const length = Number(headerOf({ headers }, 'content-length') ?? 0);
  if (!(length <= requestBytesMax)) throw new ConnectionReset();
  return input.take(length);
}

async function readChunks(input: ByteInput): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for (;;) {
    const size = Number.parseInt((await input.line(headBytesMax)) ?? '', 16);
    bytes += size;
    if (!(bytes <= requestBytesMax)) throw new ConnectionReset();
    if (size > 0) parts.push(await input.take(size));
    await input.line(headBytesMax);
    if (size === 0) return joinedBytes(parts);
  }
}

async function* nothing(): AsyncGenerator<Uint8Array> {
  // A connection whose other end is closed.
}
