/** Encodes and decodes header values: Node reads and writes each character as one byte, so UTF-8 is converted here. */

/** Headers that may quote a client's input; all others are our own ASCII. */
const quoting = ['warning', 'location'] as const;

/** Encodes the values in place. */
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

/** Occurs only in in-process requests. */
const beyondBytes = /[^\0-\u00ff]/;

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Decodes a value from Node as UTF-8; returns it unchanged if its bytes are not valid UTF-8. */
export function readHeader(value: string): string {
  if (isAscii.test(value) || beyondBytes.test(value)) return value;
  try {
    return decoder.decode(Uint8Array.from(value, (character) => character.charCodeAt(0)));
  } catch {
    return value;
  }
}
