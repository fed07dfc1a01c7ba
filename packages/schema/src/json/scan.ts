/** A single scan over valid JSON text that determines whether JSON.parse loses anything. */

/** Deeper than any kind's nesting; beyond it the exact parser decides. */
const depthPlain = 256;

/** The number of digits that a double always represents exactly. */
const digitsPlain = 15;

/**
 * The number of members of all objects in the text, duplicates included; -1 for numbers that a double may not represent
 * exactly, escaped surrogates, or deep nesting.
 */
export function countMembers(text: string): number {
  if (text.includes('\\ud') || text.includes('\\uD')) return -1;
  const length = text.length;
  let members = 0;
  let depth = 0;
  for (let at = 0; at < length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22) {
      at = stringEnd(text, at);
    } else if (code === 0x3a) {
      members++;
    } else if (code === 0x7b || code === 0x5b) {
      if (++depth > depthPlain) return -1;
    } else if (code === 0x7d || code === 0x5d) {
      depth--;
    } else if (code === 0x2d || (code >= 0x30 && code <= 0x39)) {
      const end = plainNumberEnd(text, at);
      if (end < 0) return -1;
      at = end - 1;
    }
  }
  return members;
}

/** The closing quote: the next one preceded by an even number of backslashes. */
function stringEnd(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (text.charCodeAt(end - 1) === backslash) {
    let run = end - 1;
    while (text.charCodeAt(run - 1) === backslash) run--;
    if ((end - run) % 2 === 0) return end;
    end = text.indexOf('"', end + 1);
  }
  return end;
}

const backslash = 0x5c;

/** The index after a short integer; -1 for any other number. */
function plainNumberEnd(text: string, start: number): number {
  let at = start + 1;
  let code = text.charCodeAt(at);
  while (code >= 0x30 && code <= 0x39) code = text.charCodeAt(++at);
  const odd = code === 0x2e || code === 0x65 || code === 0x45 || at - start > digitsPlain;
  const minusZero = text.charCodeAt(start) === 0x2d && text.charCodeAt(start + 1) === 0x30;
  return odd || minusZero ? -1 : at;
}
