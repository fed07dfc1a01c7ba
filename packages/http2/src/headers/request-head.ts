/** Turns the fields of a header block into a request (RFC 9113, section 8.3). */
import { StreamFailure, errorCodes } from '../frames/frame.ts';
import type { HeaderField } from '../hpack/header-field.ts';
import { addHeader, isTooLong, NamedValues } from './named-values.ts';

export type RequestHeaders = Readonly<Record<string, string | undefined>>;

export interface RequestHead {
  readonly method: string;
  /** `:path`: path and query as received. */
  readonly target: string;
  /**
   * By name, in lower case, including pseudo-headers. Several values are joined by commas, cookies by semicolons; of
   * headers that allow only one value, the first is used.
   */
  readonly headers: RequestHeaders;
  /** In order, each value separately. */
  readonly fields: readonly HeaderField[];
  readonly contentLength: number | undefined;
  /** Whether a header is too long to be interpreted. */
  readonly hasTooLong: boolean;
}

/** @throws StreamFailure if the request is malformed */
export function requestHead(fields: readonly HeaderField[]): RequestHead {
  const headers = new NamedValues();
  let hasPlain = false;
  let hasTooLong = false;
  for (let index = 0; index < fields.length; index++) {
    const { name, value, fault } = fields[index]!;
    if (fault !== undefined) malformed(fault);
    if (name.charCodeAt(0) !== colon) hasPlain = true;
    else if (hasPlain || !pseudoHeaders.has(name)) malformed(`${name} is out of place`);
    const before = headers[name];
    if (before !== undefined) checkRepeated(name, before, value);
    addHeader(headers, name, value);
    if (isTooLong(name, headers[name]!)) hasTooLong = true;
  }
  const contentLength = lengthOf(headers['content-length']);
  const method = headers[':method'] ?? '';
  return { method, target: checkedTarget(headers), headers, fields, contentLength, hasTooLong };
}

/**
 * Trailers are not used, but must be valid.
 * @throws StreamFailure
 */
export function checkTrailers(fields: readonly HeaderField[]): void {
  for (const { name, fault } of fields) {
    if (fault !== undefined) malformed(fault);
    if (name.charCodeAt(0) === colon) malformed(`${name} after the body`);
  }
}

const colon = ':'.charCodeAt(0);

const pseudoHeaders = new Set([':method', ':scheme', ':authority', ':path']);

function checkedTarget(headers: RequestHeaders): string {
  const target = headers[':path'];
  const method = headers[':method'];
  if (method === 'CONNECT') {
    if (target !== undefined || headers[':scheme'] !== undefined || headers[':authority'] === undefined)
      malformed('CONNECT has an authority and nothing else');
    return '/';
  }
  if (method === undefined || !soundMethod.test(method)) malformed('a request without a method');
  if (headers[':scheme'] === undefined) malformed('a request without a scheme');
  if (target === undefined || (target.charCodeAt(0) !== slash && target !== '*'))
    malformed('a request without a path');
  return target;
}

const slash = '/'.charCodeAt(0);

const soundMethod = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

function checkRepeated(name: string, before: string, value: string): void {
  if (name.charCodeAt(0) === colon) malformed(`${name} twice`);
  if (name === 'content-length' && value !== before) malformed('two lengths');
}

function lengthOf(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (!/^\d{1,15}$/.test(value)) malformed('a length that is none');
  return Number(value);
}

function malformed(what: string): never {
  throw new StreamFailure(errorCodes.protocol, `malformed: ${what}`);
}
