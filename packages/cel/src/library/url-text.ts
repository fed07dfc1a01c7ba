/** URLs as Go's net/url reads them in a request, with its messages. */

import { IpTextError, parseAddress } from './ip-text.ts';
import { quoteText } from './quote-text.ts';

export class UrlTextError extends Error {}

export interface ParsedUrl {
  readonly scheme: string;
  /** With port and brackets. */
  readonly host: string;
  readonly path: string;
  /** As written, where that isn't what escaping the path would give. */
  readonly rawPath: string;
  readonly query: string;
}

/** @throws UrlTextError `parse "x": invalid URI for request` */
export function parseRequestUrl(text: string): ParsedUrl {
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof UrlTextError)) throw error;
    throw new UrlTextError(`parse ${quoteText(text)}: ${error.message}`);
  }
}

const wrong = (message: string): UrlTextError => new UrlTextError(message);

// oxlint-disable-next-line no-control-regex
const controlCharacter = /[\u0000-\u001f\u007f]/;

function parse(text: string): ParsedUrl {
  if (controlCharacter.test(text)) throw wrong('net/url: invalid control character in URL');
  if (text === '') throw wrong('empty url');
  if (text === '*') return { scheme: '', host: '', path: '*', rawPath: '', query: '' };
  const { scheme, rest: afterScheme } = splitScheme(text);
  const question = afterScheme.indexOf('?');
  const query = question < 0 ? '' : afterScheme.slice(question + 1);
  const hierarchy = question < 0 ? afterScheme : afterScheme.slice(0, question);
  if (!hierarchy.startsWith('/')) {
    if (scheme === '') throw wrong('invalid URI for request');
    return { scheme, host: '', path: '', rawPath: '', query };
  }
  const hasAuthority = scheme !== '' && hierarchy.startsWith('//');
  if (!hasAuthority) return { scheme, host: '', query, ...splitPath(hierarchy) };
  const end = hierarchy.indexOf('/', 2);
  const authority = end < 0 ? hierarchy.slice(2) : hierarchy.slice(2, end);
  const host = parseAuthority(scheme, authority);
  return { scheme, host, query, ...splitPath(end < 0 ? '' : hierarchy.slice(end)) };
}

function splitScheme(text: string): { scheme: string; rest: string } {
  if (text.startsWith(':')) throw wrong('missing protocol scheme');
  const found = /^([a-zA-Z][a-zA-Z0-9+.-]*):/.exec(text);
  return found
    ? { scheme: found[1]!.toLowerCase(), rest: text.slice(found[0].length) }
    : { scheme: '', rest: text };
}

function splitPath(text: string): { path: string; rawPath: string } {
  const path = unescape(text, 'path');
  return { path, rawPath: escapePath(path) === text ? '' : text };
}

function parseAuthority(scheme: string, authority: string): string {
  const at = authority.lastIndexOf('@');
  const host = parseHost(scheme, authority.slice(at + 1));
  if (at < 0) return host;
  const user = authority.slice(0, at);
  if (!/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(user)) throw wrong('net/url: invalid userinfo');
  unescape(user, 'user');
  return host;
}

function parseHost(scheme: string, host: string): string {
  const open = host.lastIndexOf('[');
  if (open > 0) throw wrong('invalid IP-literal');
  if (open === 0) return parseBracketed(host);
  const first = host.indexOf(':');
  if (first >= 0) {
    const isStrict = scheme === 'http' || scheme === 'https';
    checkPort(host.slice(isStrict ? first : host.lastIndexOf(':')));
  }
  return unescape(host, 'host');
}

function parseBracketed(host: string): string {
  const close = host.lastIndexOf(']');
  if (close < 0) throw wrong("missing ']' in host");
  const port = host.slice(close + 1);
  checkPort(port);
  const name = host.slice(1, close);
  const zone = name.indexOf('%25');
  const plain =
    zone < 0
      ? unescape(name, 'host')
      : unescape(name.slice(0, zone), 'host') + unescape(name.slice(zone), 'zone');
  checkLiteral(plain);
  return `[${plain}]${port}`;
}

function checkLiteral(text: string): void {
  try {
    if (parseAddress(text).address.version === 4) throw wrong('invalid IP-literal');
  } catch (error) {
    if (!(error instanceof IpTextError)) throw error;
    throw wrong(`invalid host: ${error.message}`);
  }
}

function checkPort(text: string): void {
  if (!/^(?::\d*)?$/.test(text)) throw wrong(`invalid port ${quoteText(text)} after host`);
}

type Mode = 'path' | 'host' | 'zone' | 'user' | 'query';

const decoder = new TextDecoder();
const encoder = new TextEncoder();

function unescape(text: string, mode: Mode): string {
  const wrongEscape = /%(?![0-9a-fA-F]{2}).{0,2}/su.exec(text);
  if (wrongEscape) throw wrong(`invalid URL escape ${quoteText(wrongEscape[0])}`);
  if (mode === 'host') {
    const notAllowed = /%(?!25|[89a-fA-F])../.exec(text);
    if (notAllowed) throw wrong(`invalid URL escape ${quoteText(notAllowed[0])}`);
    const character = /[^A-Za-z0-9\-_.~!$&'()*+,;=:[\]<>"%\u0080-\u{10ffff}]/u.exec(text);
    if (character) throw wrong(`invalid character ${quoteText(character[0])} in host name`);
  }
  const spaced = mode === 'query' ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) return spaced;
  return spaced.replaceAll(/(?:%[0-9a-fA-F]{2})+/g, (run) =>
    decoder.decode(Uint8Array.from(run.slice(1).split('%'), (hex) => parseInt(hex, 16))),
  );
}

/** The path as it stands in a request line. */
export const escapedPath = ({ path, rawPath }: ParsedUrl): string => {
  if (rawPath !== '' && /^[A-Za-z0-9\-_.~!$&'()*+,;=:@[\]/%]*$/.test(rawPath)) return rawPath;
  return path === '*' ? '*' : escapePath(path);
};

const escapePath = (path: string): string =>
  path.replaceAll(/[^A-Za-z0-9\-_.~$&+,/:;=@]/gu, (character) =>
    Array.from(
      encoder.encode(character),
      (byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`,
    ).join(''),
  );

/** Without port and brackets. */
export function hostnameOf({ host }: ParsedUrl): string {
  const bracketed = /^\[(.*)\]/s.exec(host);
  return bracketed ? bracketed[1]! : host.replace(/:\d*$/, '');
}

export const portOf = ({ host }: ParsedUrl): string =>
  /:(\d*)$/.exec(host.replace(/^\[.*\]/s, ''))?.[1] ?? '';

/** Values by name; pairs that can't be read are left out. */
export function queryOf({ query }: ParsedUrl): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const pair of query.split('&')) {
    if (pair === '' || pair.includes(';')) continue;
    const equals = pair.indexOf('=');
    try {
      const name = unescape(equals < 0 ? pair : pair.slice(0, equals), 'query');
      const value = equals < 0 ? '' : unescape(pair.slice(equals + 1), 'query');
      found.set(name, [...(found.get(name) ?? []), value]);
    } catch (error) {
      if (!(error instanceof UrlTextError)) throw error;
    }
  }
  return found;
}
