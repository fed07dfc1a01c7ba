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
  special.test(text) ? escaped(JSON.stringify(text)).slice(1, -1) : text;

const forHtml = /[<>&\u2028\u2029]/g;

export const escaped = (json: string): string =>
  json.search(forHtml) < 0
    ? json
    : json.replace(forHtml, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
