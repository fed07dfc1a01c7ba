/** The `Warning` header: messages from the server for the user of a successful request. */

export interface WarningHandler {
  (text: string): void;
}

/**
 * Returns the texts of `Warning: 299 - "text"` headers; other codes are not for users (RFC 7234, KEP-1693).
 * @internal
 */
export function warningTexts(header: string | readonly string[] | undefined): string[] {
  if (header === undefined) return [];
  const texts: string[] = [];
  for (const line of typeof header === 'string' ? [header] : header) {
    for (const [, code, quoted = ''] of line.matchAll(/(\d{3}) \S+ "((?:[^"\\]|\\.)*)"/g)) {
      if (code === '299') texts.push(quoted.replace(/\\(.)/g, '$1'));
    }
  }
  return texts;
}

/**
 * Passes on each text only once.
 * @internal
 */
export function onceEach(handler: WarningHandler): WarningHandler {
  const seen = new Set<string>();
  return (text) => {
    if (seen.has(text) || seen.size >= distinctWarningsMax) return;
    seen.add(text);
    handler(text);
  };
}

/** A server that generates ever new warnings must not exhaust the memory. */
const distinctWarningsMax = 1000;
