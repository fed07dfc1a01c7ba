/** Parses PEM as upstream does: leniently around blocks, strictly inside them. */

export interface PemBlock {
  readonly type: string;
  readonly hasHeaders: boolean;
  readonly bytes: Uint8Array;
}

/** All blocks of a text whose characters are bytes; everything else is skipped. */
export function pemBlocks(text: string): PemBlock[] {
  const blocks: PemBlock[] = [];
  let rest = text;
  for (let end = rest.indexOf(endMark); end >= 0; end = rest.indexOf(endMark)) {
    const block = blockBefore(rest, end);
    if (block === undefined) rest = rest.slice(end + endMark.length);
    else {
      blocks.push(block);
      rest = afterLine(rest.slice(end + 1));
    }
  }
  return blocks;
}

const beginMark = '-----BEGIN ';
const endMark = '\n-----END ';
const dashes = '-----';

/** The block whose end marker is at `end`, if valid: from the last start marker before it. */
function blockBefore(text: string, end: number): PemBlock | undefined {
  const begin = text.slice(0, end).lastIndexOf(beginMark);
  if (begin < 0 || (begin > 0 && text[begin - 1] !== '\n')) return undefined;
  const first = lineAt(text, begin + beginMark.length);
  if (!first.line.endsWith(dashes)) return undefined;
  const type = first.line.slice(0, -dashes.length);
  let at = first.next;
  let hasHeaders = false;
  for (let header = lineAt(text, at); header.line.includes(':'); header = lineAt(text, at)) {
    hasHeaders = true;
    at = header.next;
    if (at >= text.length) return undefined;
  }
  if (hasHeaders && at > end + 1) return undefined;
  if (lineAt(text, end + endMark.length).line !== `${type}${dashes}`) return undefined;
  const bytes = bytesOfBase64(text.slice(Math.min(at, end), end));
  return bytes && { type, hasHeaders, bytes };
}

function lineAt(text: string, start: number): { readonly line: string; readonly next: number } {
  const newline = text.indexOf('\n', start);
  const end = newline < 0 ? text.length : newline;
  const line = text
    .slice(start, end)
    .replace(/\r$/, '')
    .replace(/[ \t]+$/, '');
  return { line, next: newline < 0 ? text.length : newline + 1 };
}

const afterLine = (text: string): string => text.slice(lineAt(text, 0).next);

function bytesOfBase64(text: string): Uint8Array | undefined {
  const letters = text.replace(/[ \t\r\n]/g, '');
  if (letters.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(letters)) return undefined;
  return Uint8Array.from(atob(letters), (character) => character.charCodeAt(0));
}
