/** Headers by name, of which some come several times. */

/** Without a prototype, so that nothing is there that nobody sent, and quicker to fill than a dictionary. */
export class NamedValues {
  [name: string]: string | undefined;
}
Object.setPrototypeOf(NamedValues.prototype, null);
Reflect.deleteProperty(NamedValues.prototype, 'constructor');

/** Of several values: all, joined by commas, cookies by semicolons; the first, where a header can have but one. */
export function addHeader(headers: NamedValues, name: string, value: string): void {
  const before = headers[name];
  if (before === undefined) headers[name] = value;
  else if (!singleValued.has(name)) headers[name] = `${before}${name === 'cookie' ? '; ' : ', '}${value}`;
}

/** Of these the first counts, as with HTTP/1.1 in Node. */
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
