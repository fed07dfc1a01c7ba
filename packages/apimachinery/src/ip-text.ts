/** Parses addresses and networks like Go's netip, with its messages. */

import { formatIp, parseIp, type IpAddress } from './ip-address.ts';
import { goQuote } from './go-quote.ts';

export class IpTextError extends Error {}

export interface ParsedAddress {
  readonly address: IpAddress;
  readonly zone: string;
}

/** @throws IpTextError `ParseAddr("1.2"): IPv4 address too short` */
export function parseAddress(text: string): ParsedAddress {
  const first = /[.:%]/.exec(text)?.[0];
  if (first === '.') {
    checkFields(text, text);
    return { address: parseIp(text)!, zone: '' };
  }
  if (first === ':') return parseV6(text);
  throw failure(text, first === '%' ? 'missing IPv6 address' : 'unable to parse IP');
}

export { formatIp };

function failure(text: string, message: string, at?: string): IpTextError {
  const place = at === undefined || at === '' ? '' : ` (at ${goQuote(at)})`;
  return new IpTextError(`ParseAddr(${goQuote(text)}): ${message}${place}`);
}

/** @param fields the IPv4 address, which is the whole text or its end */
function checkFields(text: string, fields: string): void {
  let digits = '';
  let dots = 0;
  for (let index = 0; index < fields.length; index++) {
    const character = fields[index]!;
    if (/\d/.test(character)) {
      if (digits === '0') throw failure(text, 'IPv4 field has octet with leading zero');
      digits += character;
      if (Number(digits) > 255) throw failure(text, 'IPv4 field has value >255');
    } else if (character === '.') {
      const isEmpty = index === 0 || index === fields.length - 1 || fields[index - 1] === '.';
      if (isEmpty) throw failure(text, 'IPv4 field must have at least one digit', fields.slice(index));
      if (++dots > 3) throw failure(text, 'IPv4 address too long');
      digits = '';
    } else throw failure(text, 'unexpected character', fields.slice(index));
  }
  if (dots < 3) throw failure(text, 'IPv4 address too short');
}

function parseV6(text: string): ParsedAddress {
  const percent = text.indexOf('%');
  const body = percent < 0 ? text : text.slice(0, percent);
  const zone = percent < 0 ? '' : text.slice(percent + 1);
  if (percent >= 0 && zone === '') throw failure(text, 'zone must be a non-empty string');
  checkGroups(text, body);
  return { address: parseIp(body)!, zone };
}

function checkGroups(text: string, body: string): void {
  let hasEllipsis = body.startsWith('::');
  let rest = hasEllipsis ? body.slice(2) : body;
  let bytes = 0;
  if (hasEllipsis && rest === '') return;
  while (bytes < 16) {
    const group = /^[0-9a-fA-F]*/.exec(rest)![0];
    if (group.length > 4) throw failure(text, 'each group must have 4 or less digits', rest);
    if (group === '') throw failure(text, 'each colon-separated field must have at least one digit', rest);
    if (rest[group.length] === '.') {
      checkEmbedded(text, rest, bytes, hasEllipsis);
      bytes += 4;
      rest = '';
      break;
    }
    bytes += 2;
    rest = rest.slice(group.length);
    if (rest === '') break;
    if (rest[0] !== ':') throw failure(text, 'unexpected character, want colon', rest);
    if (rest.length === 1) throw failure(text, 'colon must be followed by more characters', rest);
    rest = rest.slice(1);
    if (rest[0] !== ':') continue;
    if (hasEllipsis) throw failure(text, 'multiple :: in address', rest);
    hasEllipsis = true;
    rest = rest.slice(1);
    if (rest === '') break;
  }
  if (rest !== '') throw failure(text, 'trailing garbage after address', rest);
  if (bytes < 16 && !hasEllipsis) throw failure(text, 'address string too short');
  if (bytes >= 16 && hasEllipsis) throw failure(text, 'the :: must expand to at least one field of zeros');
}

function checkEmbedded(text: string, rest: string, bytes: number, hasEllipsis: boolean): void {
  if (!hasEllipsis && bytes !== 12) {
    throw failure(text, 'embedded IPv4 address must replace the final 2 fields of the address', rest);
  }
  if (bytes + 4 > 16) {
    throw failure(text, 'too many hex fields to fit an embedded IPv4 at the end of the address', rest);
  }
  checkFields(text, rest);
}

export interface ParsedPrefix {
  readonly address: IpAddress;
  readonly prefixLength: number;
}

/** @throws IpTextError `netip.ParsePrefix("x"): no '/'` */
export function parsePrefix(text: string): ParsedPrefix {
  const wrong = (message: string): IpTextError =>
    new IpTextError(`netip.ParsePrefix(${goQuote(text)}): ${message}`);
  const slash = text.lastIndexOf('/');
  if (slash < 0) throw wrong("no '/'");
  const { address, zone } = addressOf(text.slice(0, slash), wrong);
  if (zone !== '') throw wrong('IPv6 zones cannot be present in a prefix');
  const length = text.slice(slash + 1);
  if (!/^(?:\d|[1-9]\d+)$/.test(length)) throw wrong(`bad bits after slash: ${goQuote(length)}`);
  const prefixLength = Number(length);
  if (prefixLength > (address.version === 4 ? 32 : 128)) throw wrong('prefix length out of range');
  return { address, prefixLength };
}

function addressOf(text: string, wrong: (message: string) => IpTextError): ParsedAddress {
  try {
    return parseAddress(text);
  } catch (error) {
    throw error instanceof IpTextError ? wrong(error.message) : error;
  }
}
