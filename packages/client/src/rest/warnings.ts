/** The `Warning` header: what the server wants the user to know although it did what was asked. */

export interface WarningHandler {
  (text: string): void;
}

/**
 * The texts of `Warning: 299 - "text"` headers; other codes are not for users (RFC 7234, KEP-1693).
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
 * Each text once.
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

/** A server that invents warnings must not fill the memory. */
const distinctWarningsMax = 1000;
