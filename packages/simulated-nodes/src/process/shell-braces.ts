/** The brace expansion of bash: `a{b,c}`, `{1..9}`, `{01..10..3}`, `{a..e}`. BusyBox and dash have none. */
import type { Word, WordPart } from './shell-words.ts';

/** A character without quotes, or a part that braces are not read from. */
type Piece = string | WordPart;

/** The maximum number of words that one word expands to; beyond it, braces stand for themselves. */
const wordsMax = 10_000;
/** … and of unquoted characters in a word whose braces are expanded. */
const piecesMax = 1_000;

export function bracesExpanded(word: Word): readonly Word[] {
  const pieces = word.flatMap((part): readonly Piece[] =>
    part.kind === 'text' && !part.isQuoted ? [...part.text] : [part],
  );
  const hasBraces = pieces.includes('{') && pieces.length <= piecesMax;
  return hasBraces ? expanded(pieces).map(wordOf) : [word];
}

function expanded(pieces: readonly Piece[]): readonly (readonly Piece[])[] {
  for (let start = pieces.indexOf('{'); start >= 0; start = pieces.indexOf('{', start + 1)) {
    const end = closing(pieces, start);
    const choices = choicesOf(pieces.slice(start + 1, end));
    if (choices === undefined) continue;
    const before = pieces.slice(0, start);
    const after = expanded(pieces.slice(end + 1));
    if (choices.length * after.length > wordsMax) break;
    return choices.flatMap((choice) => after.map((rest) => [...before, ...choice, ...rest]));
  }
  return [pieces];
}

/** The brace that closes the one at `start`; or, if there is none, `start`, so that nothing is between them. */
function closing(pieces: readonly Piece[], start: number): number {
  let depth = 0;
  for (let at = start; at < pieces.length; at++) {
    if (pieces[at] === '{') depth++;
    if (pieces[at] === '}' && --depth === 0) return at;
  }
  return start;
}

/** Undefined for neither a list nor a sequence: these braces stand for themselves. */
function choicesOf(inner: readonly Piece[]): readonly (readonly Piece[])[] | undefined {
  const elements: Piece[][] = [[]];
  let depth = 0;
  for (const piece of inner) {
    if (piece === '{') depth++;
    if (piece === '}') depth--;
    if (piece === ',' && depth === 0) elements.push([]);
    else elements.at(-1)!.push(piece);
  }
  if (elements.length > 1) return elements.flatMap(expanded);
  const texts = inner.filter((piece) => typeof piece === 'string');
  return texts.length === inner.length ? sequence(texts.join('')) : undefined;
}

/** `1..5`, `a..e`, `5..1..2`; a number with leading zeros states the width of all. */
function sequence(text: string): readonly (readonly string[])[] | undefined {
  const numbers = /^(-?\d{1,15})\.\.(-?\d{1,15})(?:\.\.-?(\d{1,15}))?$/.exec(text);
  const characters = numbers ?? /^([A-Za-z])\.\.([A-Za-z])(?:\.\.-?(\d{1,15}))?$/.exec(text);
  if (characters === null) return undefined;
  const [, first = '', last = '', every = '1'] = characters;
  const [from, to] = numbers === null ? [first.codePointAt(0)!, last.codePointAt(0)!] : [+first, +last];
  const step = Math.max(1, Number(every));
  const count = Math.floor(Math.abs(to - from) / step) + 1;
  if (count > wordsMax) return undefined;
  const width = /^-?0\d/.test(first) || /^-?0\d/.test(last) ? Math.max(first.length, last.length) : 0;
  return Array.from({ length: count }, (_, at) => {
    const value = from + at * (to < from ? -step : step);
    if (numbers === null) return [String.fromCodePoint(value)];
    return [value < 0 ? `-${String(-value).padStart(width - 1, '0')}` : String(value).padStart(width, '0')];
  });
}

function wordOf(pieces: readonly Piece[]): Word {
  const parts: WordPart[] = [];
  let text = '';
  for (const piece of [...pieces, undefined]) {
    if (typeof piece === 'string') text += piece;
    else {
      if (text !== '') parts.push({ kind: 'text', text });
      text = '';
      if (piece !== undefined) parts.push(piece);
    }
  }
  return parts;
}
