/**
 * Parses the head of a request (RFC 9112, sections 3, 5 and 6) by the rules of Go's `net/http`: lines may end in a bare
 * LF, values may continue on a line that begins with whitespace, and heads with ambiguous body framing are refused.
 */
import { addHeader, isTooLong, NamedValues } from '@coxswain/http2';
import { badRequest, headTooLarge, RequestRefusal, unknownTransferCoding } from './refusal.ts';
import { readTarget } from './request-target.ts';

export type BodyFraming =
  | { readonly kind: 'none' }
  | { readonly kind: 'length'; readonly bytes: number }
  | { readonly kind: 'chunked' };

export interface RequestHead {
  readonly method: string;
  /** Percent-encoded, without query; empty where the target has none. */
  readonly path: string;
  /** Without the question mark. */
  readonly query: string;
  /**
   * By name, in lower case, one character per byte. Of repeated headers: all values joined, or the first if only one is
   * allowed.
   */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Names and values alternating, as received. */
  readonly rawHeaders: readonly string[];
  readonly framing: BodyFraming;
  /** Whether the client supports HTTP/1.1: chunked bodies and persistent connections. */
  readonly isCurrent: boolean;
  /** Whether the client wants the connection to close after the response. */
  readonly wantsClose: boolean;
}

/**
 * @param text the head without its final blank line, one character per byte
 * @throws RequestRefusal
 */
export function readHead(text: string): RequestHead {
  const [first = '', ...lines] = unfoldedLines(text);
  const [, method = '', target = '', version] = requestLine.exec(first) ?? [];
  const place = version === undefined ? undefined : readTarget(method, target);
  if (place === undefined) throw badRequest();
  const headers = new NamedValues();
  const rawHeaders: string[] = [];
  for (const line of lines) readField(line, headers, rawHeaders);
  const isCurrent = version !== '1.0';
  const framing = framingOf(headers, rawHeaders, isCurrent);
  if (!version!.startsWith('1.')) throw new RequestRefusal(505, 'unsupported protocol version');
  checkHost(method, headers, rawHeaders, isCurrent);
  if (rawHeaders.some((name, index) => index % 2 === 0 && name.includes(' ')))
    throw badRequest('invalid header name');
  if (place.host !== undefined) headers['host'] = place.host;
  const connection = tokensOf(headers['connection']);
  const wantsClose = connection.includes('close') || (!isCurrent && !connection.includes('keep-alive'));
  const { path, query } = place;
  return { method, path, query, headers, rawHeaders, framing, isCurrent, wantsClose };
}

const requestLine = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+) ([^ ]+) HTTP\/(\d\.\d)$/;

/** Lines without their ends; one that begins with whitespace continues the value before it. */
function unfoldedLines(text: string): string[] {
  const lines = text.split('\n').map(withoutReturn);
  if (!hasFolds.test(text)) return lines;
  const unfolded: string[][] = [];
  for (const [index, line] of lines.entries()) {
    const isFold = index > 0 && isBlank(line.charCodeAt(0));
    if (isFold && index === 1) throw badRequest();
    if (isFold) unfolded.at(-1)!.push(line);
    else unfolded.push([line]);
  }
  return unfolded.map((parts) => (parts.length === 1 ? parts[0]! : parts.map(trimmed).join(' ')));
}

const hasFolds = /\n[ \t]/;

const withoutReturn = (line: string): string => (line.endsWith('\r') ? line.slice(0, -1) : line);

const isBlank = (code: number): boolean => code === 0x20 || code === 0x09;

/** Trims whitespace at both ends. A regular expression would rescan each run of blanks from each of its characters. */
function trimmed(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && isBlank(text.charCodeAt(start))) start++;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}

function readField(line: string, headers: NamedValues, rawHeaders: string[]): void {
  const [, name, value] = field.exec(line) ?? [];
  if (name === undefined) throw badRequest();
  const kept = trimmed(value!);
  rawHeaders.push(name, kept);
  const key = name.toLowerCase();
  addHeader(headers, key, kept);
  if (isTooLong(key, headers[key]!)) throw headTooLarge();
}

// oxlint-disable-next-line no-control-regex -- none of them is part of a value
const field = /^([!#$%&'*+.^_`|~0-9A-Za-z -]+):([^\0-\x08\x0a-\x1f\x7f]*)$/;

/** The separate values of a repeated header. */
export function valuesOf(rawHeaders: readonly string[], name: string): string[] {
  const values: string[] = [];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    if (rawHeaders[at]!.toLowerCase() === name) values.push(rawHeaders[at + 1]!);
  }
  return values;
}

const tokensOf = (value: string | undefined): readonly string[] =>
  value === undefined ? [] : value.toLowerCase().split(',').map(trimmed);

function checkHost(
  method: string,
  { host }: NamedValues,
  rawHeaders: readonly string[],
  isCurrent: boolean,
): void {
  if (host === undefined) {
    if (isCurrent && method !== 'CONNECT') throw badRequest('missing required Host header');
    return;
  }
  if (valuesOf(rawHeaders, 'host').length > 1) throw badRequest();
  if (!/^[\w!$%&'()*+,.:;=[\]~-]*$/.test(host)) throw badRequest('malformed Host header');
}

/**
 * The framing of the body (RFC 9112, section 6.3). Anything that two parsers could interpret differently is refused.
 */
function framingOf(headers: NamedValues, rawHeaders: readonly string[], isCurrent: boolean): BodyFraming {
  const isChunked = headers['transfer-encoding'] !== undefined && isCurrent;
  if (isChunked && valuesOf(rawHeaders, 'transfer-encoding').join(',').toLowerCase() !== 'chunked')
    throw unknownTransferCoding();
  const bytes = lengthOf(headers, rawHeaders);
  if (!isChunked) {
    // This header is for a later protocol version; a proxy that forwards the request must not repeat it.
    delete headers['transfer-encoding'];
    return bytes === undefined || bytes === 0 ? { kind: 'none' } : { kind: 'length', bytes };
  }
  delete headers['content-length'];
  if (tokensOf(headers['trailer']).some((name) => notInTrailers.has(name))) throw badRequest();
  return { kind: 'chunked' };
}

const notInTrailers = new Set(['transfer-encoding', 'trailer', 'content-length']);

function lengthOf(headers: NamedValues, rawHeaders: readonly string[]): number | undefined {
  const first = headers['content-length'];
  if (first === undefined) return undefined;
  const bytes = /^\d+$/.test(first) ? Number(first) : Number.NaN;
  const isOne = valuesOf(rawHeaders, 'content-length').every((value) => value === first);
  if (!isOne || !Number.isSafeInteger(bytes)) throw badRequest();
  return bytes;
}
