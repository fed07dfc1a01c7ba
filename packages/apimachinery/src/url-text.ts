/** Parses URLs like Go's net/url, with its messages. */

import { IpTextError, parseAddress } from './ip-text.ts';
import { goQuote } from './go-quote.ts';

export class UrlTextError extends Error {}

export interface ParsedUrl {
  readonly scheme: string;
  /** As it would be written; undefined without an `@`. */
  readonly user: string | undefined;
  /** Includes the port and brackets. */
  readonly host: string;
  readonly path: string;
  /** As written, if that differs from the escaped path. */
  readonly rawPath: string;
  readonly query: string;
  readonly fragment: string;
}

/** A URL, absolute or not, with or without a fragment. @throws UrlTextError `parse ":a": missing protocol scheme` */
export function parseUrl(text: string): ParsedUrl {
  const mark = text.indexOf('#');
  const url = read(mark < 0 ? text : text.slice(0, mark), parseReference);
  return mark < 0 ? url : { ...url, fragment: read(text, () => unescape(text.slice(mark + 1), 'fragment')) };
}

/** A URL in a request, which is absolute. @throws UrlTextError `parse "x": invalid URI for request` */
export const parseRequestUrl = (text: string): ParsedUrl => read(text, parseTarget);

function read<T>(text: string, parse: (text: string) => T): T {
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof UrlTextError)) throw error;
    throw new UrlTextError(`parse ${goQuote(text)}: ${error.message}`);
  }
}

const wrong = (message: string): UrlTextError => new UrlTextError(message);

// oxlint-disable-next-line no-control-regex
const controlCharacter = /[\u0000-\u001f\u007f]/;

const nothing: ParsedUrl = {
  scheme: '',
  user: undefined,
  host: '',
  path: '',
  rawPath: '',
  query: '',
  fragment: '',
};

function parseReference(text: string): ParsedUrl {
  const { scheme, query, hierarchy } = splitUrl(text);
  if (hierarchy === '*' && text === '*') return { ...nothing, path: '*' };
  if (!hierarchy.startsWith('/')) {
    if (scheme !== '') return { ...nothing, scheme, query };
    if (/^[^/]*:/.test(hierarchy)) throw wrong('first path segment in URL cannot contain colon');
  }
  const hasAuthority = hierarchy.startsWith('//') && (scheme !== '' || !hierarchy.startsWith('///'));
  return { ...nothing, scheme, query, ...parseHierarchy(scheme, hierarchy, hasAuthority) };
}

function parseTarget(text: string): ParsedUrl {
  const { scheme, query, hierarchy } = splitUrl(text);
  if (text === '') throw wrong('empty url');
  if (text === '*') return { ...nothing, path: '*' };
  if (!hierarchy.startsWith('/')) {
    if (scheme === '') throw wrong('invalid URI for request');
    return { ...nothing, scheme, query };
  }
  const hasAuthority = scheme !== '' && hierarchy.startsWith('//');
  return { ...nothing, scheme, query, ...parseHierarchy(scheme, hierarchy, hasAuthority) };
}

function splitUrl(text: string): { scheme: string; query: string; hierarchy: string } {
  if (controlCharacter.test(text)) throw wrong('net/url: invalid control character in URL');
  const { scheme, rest } = splitScheme(text);
  const question = rest.indexOf('?');
  const query = question < 0 ? '' : rest.slice(question + 1);
  return { scheme, query, hierarchy: question < 0 ? rest : rest.slice(0, question) };
}

function parseHierarchy(scheme: string, hierarchy: string, hasAuthority: boolean) {
  if (!hasAuthority) return splitPath(hierarchy);
  const end = hierarchy.indexOf('/', 2);
  const authority = end < 0 ? hierarchy.slice(2) : hierarchy.slice(2, end);
  return { ...parseAuthority(scheme, authority), ...splitPath(end < 0 ? '' : hierarchy.slice(end)) };
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

function parseAuthority(scheme: string, authority: string): { host: string; user: string | undefined } {
  const at = authority.lastIndexOf('@');
  const host = parseHost(scheme, authority.slice(at + 1));
  if (at < 0) return { host, user: undefined };
  const user = authority.slice(0, at);
  if (!/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(user)) throw wrong('net/url: invalid userinfo');
  const [name, ...password] = user.split(':');
  const parts = password.length === 0 ? [name!] : [name!, password.join(':')];
  const written = parts.map((part) => escape(unescape(part, 'user'), /[^A-Za-z0-9\-_.~$&+,;=]/gu));
  return { host, user: written.join(':') };
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
  if (!/^(?::\d*)?$/.test(text)) throw wrong(`invalid port ${goQuote(text)} after host`);
}

type Mode = 'path' | 'host' | 'zone' | 'user' | 'query' | 'fragment';

const decoder = new TextDecoder();
const encoder = new TextEncoder();

const brokenEscape = /%(?![0-9a-fA-F]{2}).{0,2}/su;
const inHost = /^[A-Za-z0-9\-_.~!$&'()*+,;=:[\]<>"\u0080-\u{10ffff}]$/u;

/**
 * In a host only non-ASCII characters may be escaped; in its zone only spaces and characters that are valid unescaped.
 */
function checkHost(text: string, mode: 'host' | 'zone'): void {
  for (const [token] of text.matchAll(/%.{0,2}|[^%]/gsu)) {
    if (!token.startsWith('%')) {
      if (!inHost.test(token)) throw wrong(`invalid character ${goQuote(token)} in host name`);
      continue;
    }
    const byte = /^%[0-9a-fA-F]{2}$/.test(token) ? parseInt(token.slice(1), 16) : -1;
    const character = String.fromCharCode(byte);
    const mayStand =
      mode === 'host' ? byte >= 0x80 : byte < 0x80 && (character === ' ' || inHost.test(character));
    if (byte < 0 || (token !== '%25' && !mayStand)) throw wrong(`invalid URL escape ${goQuote(token)}`);
  }
}

function unescape(text: string, mode: Mode): string {
  if (mode === 'host' || mode === 'zone') checkHost(text, mode);
  const broken = brokenEscape.exec(text)?.[0];
  if (broken !== undefined) throw wrong(`invalid URL escape ${goQuote(broken)}`);
  const spaced = mode === 'query' ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) return spaced;
  return spaced.replaceAll(/(?:%[0-9a-fA-F]{2})+/g, (run) =>
    decoder.decode(Uint8Array.from(run.slice(1).split('%'), (hex) => parseInt(hex, 16))),
  );
}

/** The path for a request line. */
export const escapedPath = ({ path, rawPath }: ParsedUrl): string => {
  if (rawPath !== '' && /^[A-Za-z0-9\-_.~!$&'()*+,;=:@[\]/%]*$/.test(rawPath)) return rawPath;
  return path === '*' ? '*' : escapePath(path);
};

/** As in a URL that is made of its parts. */
export const escapeHost = (host: string): string => escape(host, /[^A-Za-z0-9\-_.~!$&'()*+,;=:[\]<>"]/gu);

export const escapePath = (path: string): string => escape(path, /[^A-Za-z0-9\-_.~$&+,/:;=@]/gu);

const escape = (text: string, escaped: RegExp): string =>
  text.replaceAll(escaped, (character) =>
    Array.from(
      encoder.encode(character),
      (byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`,
    ).join(''),
  );

/** Without the port and brackets. */
export function hostnameOf({ host }: ParsedUrl): string {
  const bracketed = /^\[(.*)\]/s.exec(host);
  return bracketed ? bracketed[1]! : host.replace(/:\d*$/, '');
}

export const portOf = ({ host }: ParsedUrl): string =>
  /:(\d*)$/.exec(host.replace(/^\[.*\]/s, ''))?.[1] ?? '';

/** Values by name; invalid pairs are dropped. */
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
