/** Writes pieces of JSON as Go's encoder does: it escapes characters that could end a script in an HTML page. */

/** Flattens a string once: a string concatenated from parts would be traversed at each use. */
export function flat(text: string): string {
  text.charCodeAt(0);
  return text;
}

// eslint-disable-next-line no-control-regex
const special = /["\\\u0000-\u001f<>&\u2028\u2029\ud800-\udfff]/;

export const quoted = (text: string): string => `"${inQuotes(text)}"`;

/** The escaped text without the surrounding quotes. */
export const inQuotes = (text: string): string =>
  isPlain(text) ? text : escaped(JSON.stringify(text)).slice(1, -1);

/** Whether each ASCII character needs no escaping. */
const plain = Uint8Array.from({ length: 128 }, (_, code) =>
  special.test(String.fromCharCode(code)) ? 0 : 1,
);

/** Most texts are names; up to this length a loop is faster than a regular expression. */
const shortLength = 16;

function isPlain(text: string): boolean {
  if (text.length > shortLength) return !special.test(text);
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code >= plain.length) return !special.test(text);
    if (plain[code] === 0) return false;
  }
  return true;
}

const forHtml = /[<>&\u2028\u2029]/g;

export const escaped = (json: string): string =>
  json.search(forHtml) < 0
    ? json
    : json.replace(forHtml, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
