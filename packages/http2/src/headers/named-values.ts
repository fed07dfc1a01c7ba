/** Headers by name, some of which occur several times. */

/** Without a prototype, so that it has no inherited members and is faster to fill than a dictionary. */
export class NamedValues {
  [name: string]: string | undefined;
}
Object.setPrototypeOf(NamedValues.prototype, null);
Reflect.deleteProperty(NamedValues.prototype, 'constructor');

/** Tokens and lists of media types are much shorter; a longer one would take milliseconds to interpret. */
const interpretedCharactersMax = 64 * 1024;

/** Headers that are parsed for each request. */
const interpreted = new Set([
  'accept',
  'accept-encoding',
  'authorization',
  'connection',
  'sec-websocket-protocol',
]);

/** @param value all values together */
export const isTooLong = (name: string, value: string): boolean =>
  value.length > interpretedCharactersMax && interpreted.has(name);

/**
 * Several values are joined by commas, cookies by semicolons; of headers that allow only one value, the first is used.
 */
export function addHeader(headers: NamedValues, name: string, value: string): void {
  const before = headers[name];
  if (before === undefined) headers[name] = value;
  else if (!singleValued.has(name)) headers[name] = `${before}${name === 'cookie' ? '; ' : ', '}${value}`;
}

/** The first of these counts, as with HTTP/1.1 in Node. */
const singleValued = new Set([
  'age',
  'authorization',
  'content-encoding',
  'content-language',
  'content-length',
  'content-location',
  'content-range',
  'content-type',
  'date',
  'etag',
  'expires',
  'from',
  'host',
  'if-match',
  'if-modified-since',
  'if-none-match',
  'if-range',
  'if-unmodified-since',
  'last-modified',
  'location',
  'max-forwards',
  'proxy-authorization',
  'range',
  'referer',
  'retry-after',
  'user-agent',
]);
