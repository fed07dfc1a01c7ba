/** Splits a command line into words as a shell does, with quotes and backslashes but nothing else. */

/** @throws Error for an unterminated quote */
export function commandWords(line: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  for (let at = 0; at < line.length; at++) {
    const sign = line[at]!;
    if (sign === "'" || sign === '"') {
      const end = closing(line, at);
      word = (word ?? '') + unquoted(line.slice(at + 1, end), sign);
      at = end;
    } else if (/\s/.test(sign)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? '') + (sign === '\\' ? (line[++at] ?? '') : sign);
  }
  return word === undefined ? words : [...words, word];
}

function closing(line: string, from: number): number {
  const quote = line[from]!;
  for (let at = from + 1; at < line.length; at++) {
    if (line[at] === quote) return at;
    if (quote === '"' && line[at] === '\\') at++;
  }
  throw new Error(`the quote ${quote} is not closed`);
}

const unquoted = (text: string, quote: string): string =>
  quote === '"' ? text.replaceAll(/\\(["\\$`])/g, '$1') : text;
