/** Splits a line into words like a shell: at spaces, except within quotes or after backslashes. */
export function shellWords(line: string): readonly string[] {
  const words: string[] = [];
  let word: string | undefined;
  for (const [part, single, double, escaped, blank] of line.matchAll(parts)) {
    if (blank !== undefined) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else
      word =
        (word ?? '') +
        (single ?? double?.replaceAll(/\\(["\\$`])/g, '$1') ?? escaped ?? plainPart(part, line));
  }
  if (word !== undefined) words.push(word);
  return words;
}

const parts = /'([^']*)'|"((?:[^"\\]|\\[^])*)"|\\([^])|(\s+)|[^\s'"\\]+|['"\\]/g;

function plainPart(part: string, line: string): string {
  if (part === "'" || part === '"') throw new Error(`a quote is not closed in: ${line}`);
  return part;
}
