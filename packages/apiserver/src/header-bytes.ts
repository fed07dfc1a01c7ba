/** Header values as they go over the wire: Node reads and writes each character as one byte, so UTF-8 is spelled out. */

/** Headers that may quote what a client sent; all others are ASCII of our own. */
const quoting = ['warning', 'location'] as const;

/** Makes the values sendable, in place. */
export function spellOutHeaders(headers: Record<string, string | readonly string[] | undefined>): void {
  for (const name of quoting) {
    const value = headers[name];
    if (value === undefined) continue;
    headers[name] = typeof value === 'string' ? spelledOut(value) : value.map(spelledOut);
  }
}

const encoder = new TextEncoder();

const spelledOut = (value: string): string =>
  isAscii.test(value) ? value : String.fromCharCode(...encoder.encode(value));

const isAscii = /^[\t -~]*$/;

/** Only in a request of this process. */
const beyondBytes = /[^\0-\u00ff]/;

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** A value as Node hands it over, in the characters that its bytes stand for; as it is where they stand for none. */
export function readHeader(value: string): string {
  if (isAscii.test(value) || beyondBytes.test(value)) return value;
  try {
    return decoder.decode(Uint8Array.from(value, (character) => character.charCodeAt(0)));
  } catch {
    return value;
  }
}
