/**
 * Responses cached in files across programs: revalidated with their ETag, or not requested at all while they are fresh.
 * Locations and format are those of upstream's `~/.kube/cache/http`, so that both can use each other's files.
 */

import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Clock, Random } from '@coxswain/apimachinery';
import type { Transport, TransportRequest, TransportResponse } from '../transport.ts';

/**
 * What is cached, and where.
 * @example
 * const options: DiskCacheOptions = { directory: '.cache', clock, random, isKept: (path) => path.startsWith('/openapi') };
 * const transport = diskCached(transportOf(resolveKubeconfig(loadKubeconfig())), options);
 */
export interface DiskCacheOptions {
  /** Contains one file per URL. */
  readonly directory: string;
  readonly clock: Clock;
  readonly random: Random;
  /** Whether the response to a GET of this path may be cached. */
  isKept(path: string): boolean;
}

type Headers = TransportResponse['headers'];

interface Kept {
  readonly headers: Headers;
  readonly body: Uint8Array;
}

/** Larger responses would cost more to verify than to request. */
const bodyLengthMax = 64 * 1024 * 1024;

const checksumLength = 32;

/**
 * A transport that caches responses in files with their ETag, in the format of `~/.kube/cache/http`.
 * @example
 * const transport = diskCached(transportOf(resolveKubeconfig(loadKubeconfig())), {
 *   directory: path.join(homedir(), '.kube/cache/http'),
 *   clock,
 *   random,
 *   isKept: (path) => path.startsWith('/openapi'),
 * });
 */
export const diskCached = (transport: Transport, options: DiskCacheOptions): Transport => ({
  structured: transport.structured,
  address: transport.address,
  close: () => transport.close(),
  ...(transport.upgrade && { upgrade: (request: TransportRequest) => transport.upgrade!(request) }),
  send: (request) =>
    request.method === 'GET' && options.isKept(request.path)
      ? ask(transport, request, options)
      : transport.send(request),
});

async function ask(
  transport: Transport,
  request: TransportRequest,
  options: DiskCacheOptions,
): Promise<TransportResponse> {
  const file = path.join(options.directory, sha256(`${transport.address}${request.path}`).toString('hex'));
  const kept = readKept(file);
  const usable = kept !== undefined && isForRequest(kept, request) ? kept : undefined;
  if (usable !== undefined && isFresh(usable.headers, options.clock.now())) return answerOf(usable);
  const answer = await transport.send(usable === undefined ? request : asking(request, usable.headers));
  if (answer.status === 304 && usable !== undefined) {
    await answer.bytes();
    const renewed = { headers: { ...usable.headers, ...endToEnd(answer.headers) }, body: usable.body };
    writeKept(file, renewed, options.random);
    return answerOf(renewed);
  }
  if (answer.status !== 200 || cacheControl(answer.headers).has('no-store')) {
    rmSync(file, { force: true });
    return answer;
  }
  return keeping(answer, (body) => {
    if (body.length > bodyLengthMax) return;
    writeKept(file, { headers: withVaried(endToEnd(answer.headers), request), body }, options.random);
  });
}

const answerOf = ({ headers, body }: Kept): TransportResponse => ({
  status: 200,
  headers: { ...headers, 'x-from-cache': '1' },
  bytes: async () => body,
  async *stream() {
    yield body;
  },
});

/** The response is cached when it is read as a whole. */
const keeping = (answer: TransportResponse, keep: (body: Uint8Array) => void): TransportResponse => ({
  ...answer,
  async bytes() {
    const body = await answer.bytes();
    keep(body);
    return body;
  },
});

const asking = (request: TransportRequest, kept: Headers): TransportRequest => ({
  ...request,
  headers: {
    ...request.headers,
    ...(kept['etag'] === undefined ? {} : { 'if-none-match': kept['etag'] }),
    ...(kept['last-modified'] === undefined ? {} : { 'if-modified-since': kept['last-modified'] }),
  },
});

/** A response that varies with a request header is valid only for the same header value. */
const isForRequest = ({ headers }: Kept, request: TransportRequest): boolean =>
  variedNames(headers).every((name) => text(request.headers[name]) === text(headers[`x-varied-${name}`]));

const withVaried = (headers: Headers, request: TransportRequest): Headers => ({
  ...headers,
  ...Object.fromEntries(
    variedNames(headers)
      .filter((name) => request.headers[name] !== undefined)
      .map((name) => [`x-varied-${name}`, request.headers[name] as string]),
  ),
});

const variedNames = (headers: Headers): string[] =>
  text(headers['vary'])
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean);

function isFresh(headers: Headers, nowMs: number): boolean {
  const control = cacheControl(headers);
  const dateMs = Date.parse(text(headers['date']));
  if (control.has('no-cache') || Number.isNaN(dateMs)) return false;
  const maxAge = control.get('max-age');
  const lifetimeMs =
    maxAge === undefined ? Date.parse(text(headers['expires'])) - dateMs : Number(maxAge) * 1000;
  return lifetimeMs > nowMs - dateMs;
}

const cacheControl = (headers: Headers): ReadonlyMap<string, string> =>
  new Map(
    text(headers['cache-control'])
      .split(',')
      .map((directive) => directive.trim().split('=', 2))
      .map(([name = '', value = '']) => [name.toLowerCase(), value]),
  );

const text = (value: string | readonly string[] | undefined): string =>
  typeof value === 'string' ? value : (value?.join(', ') ?? '');

/** Headers of the connection, or of the compressed bytes, which must not be cached. */
const hopByHop: ReadonlySet<string> = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'keep-alive',
  'proxy-authenticate',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

const endToEnd = (headers: Headers): Headers =>
  Object.fromEntries(
    Object.entries(headers).filter(([name]) => !name.startsWith(':') && !hopByHop.has(name)),
  );

/** Reads the checksum, the head and the body; undefined if the file is missing or has other contents. */
function readKept(file: string): Kept | undefined {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch {
    return undefined;
  }
  const response = bytes.subarray(checksumLength);
  if (!sha256(response).equals(bytes.subarray(0, checksumLength))) return undefined;
  const headEnd = response.indexOf('\r\n\r\n');
  if (headEnd < 0) return undefined;
  const [first = '', ...lines] = response.toString('latin1', 0, headEnd).split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  // Stored with chunked encoding by an HTTP/1.1 client: rare, and treated as missing.
  if (!/^HTTP\/\d\.\d 200 /.test(first) || headers['transfer-encoding'] !== undefined) return undefined;
  return { headers: endToEnd(headers), body: response.subarray(headEnd + 4) };
}

/** Writes to a temporary file first, so that readers never see a partial one. Failures are ignored. */
function writeKept(file: string, { headers, body }: Kept, random: Random): void {
  const draft = `${file}.${Math.floor(random.next() * 2 ** 32)}`;
  try {
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o750 });
    const response = Buffer.concat([Buffer.from(headText(headers, body.length), 'latin1'), body]);
    writeFileSync(draft, Buffer.concat([sha256(response), response]), { mode: 0o660 });
    renameSync(draft, file);
  } catch {
    rmSync(draft, { force: true });
  }
}

const headText = (headers: Headers, length: number): string =>
  [
    'HTTP/1.1 200 OK',
    `Content-Length: ${length}`,
    ...Object.entries(headers)
      .map(([name, value]) => `${headerName(name)}: ${text(value)}`)
      .sort(),
    '',
    '',
  ].join('\r\n');

/** In Go's canonical form: its cache looks for exactly `X-Varied-Accept`. */
const headerName = (name: string): string => name.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase());

const sha256 = (bytes: Uint8Array | string): Buffer =>
  process.getBuiltinModule('node:crypto').createHash('sha256').update(bytes).digest();
