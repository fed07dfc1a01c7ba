/** Pieces of JSON as Go's encoder writes them: it escapes what could end a script in a page. */

/** Put into one piece once: a text that is joined from parts is walked through wherever it is part of another. */
export function flat(text: string): string {
  text.charCodeAt(0);
  return text;
}

// eslint-disable-next-line no-control-regex
const special = /["\\\u0000-\u001f<>&\u2028\u2029\ud800-\udfff]/;

export const quoted = (text: string): string => `"${inQuotes(text)}"`;

/** What stands between the quotes. */
export const inQuotes = (text: string): string =>
  isPlain(text) ? text : escaped(JSON.stringify(text)).slice(1, -1);

/** Of each ASCII character, whether it stands for itself. */
const plain = Uint8Array.from({ length: 128 }, (_, code) =>
  special.test(String.fromCharCode(code)) ? 0 : 1,
);

/** Mostly a name: to start the regular expression takes longer than to look at so many characters. */
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
