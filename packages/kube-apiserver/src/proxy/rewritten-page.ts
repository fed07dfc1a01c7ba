/** Rewrites the links of an HTML page while it passes through a proxy. */
import type { IncomingMessage } from 'node:http';
import { Transform, pipeline, type Readable } from 'node:stream';
import { createDeflate, createGunzip, createGzip, createInflate } from 'node:zlib';
import { LinkRewriter } from './link-rewriter.ts';

/** By `Content-Encoding`: how to decode and encode it. */
const encodings = {
  gzip: [createGunzip, createGzip],
  deflate: [createInflate, createDeflate],
} as const;

/** Undefined for anything but a page in a known encoding, which passes unchanged. */
export function rewrittenPage(
  answer: IncomingMessage,
  prefix: string,
  hosts: readonly string[],
): Readable | undefined {
  const { 'content-type': type = '', 'content-encoding': encoding = '' } = answer.headers;
  if (type.split(';')[0]!.trim() !== 'text/html') return undefined;
  const rewriting = rewriter(prefix, hosts);
  // The reader of the last stream sees the failure.
  const heard = (): void => undefined;
  if (encoding === '') return pipeline(answer, rewriting, heard);
  if (!Object.hasOwn(encodings, encoding)) return undefined;
  const [open, close] = encodings[encoding as keyof typeof encodings];
  return pipeline(answer, open(), rewriting, close(), heard);
}

/** Tags and links are ASCII in every encoding of the web, so bytes are treated as characters. */
function rewriter(prefix: string, hosts: readonly string[]): Transform {
  const links = new LinkRewriter(prefix, hosts);
  const bytes = (text: string): Buffer => Buffer.from(text, 'latin1');
  return new Transform({
    transform: (chunk: Buffer, _encoding, done) => done(null, bytes(links.push(chunk.toString('latin1')))),
    flush: (done) => done(null, bytes(links.end())),
  });
}
