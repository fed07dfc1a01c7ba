/** Escapes field names as CEL identifiers: `namespace` is `__namespace__`, `a-b` is `a__dash__b`. */

const reserved = new Set(
  (
    'true false null in as break const continue else for function if import let loop package namespace return ' +
    'var void while'
  ).split(' '),
);

const escapes: Readonly<Record<string, string>> = {
  __: '__underscores__',
  '.': '__dot__',
  '-': '__dash__',
  '/': '__slash__',
};

/** Undefined if the name has a character that can't be escaped, or starts with a digit. */
export function escapeFieldName(name: string): string | undefined {
  if (!/^[A-Za-z_./-][A-Za-z0-9_./-]*$/.test(name)) return undefined;
  if (reserved.has(name)) return `__${name}__`;
  return name.replaceAll(/__|[./-]/g, (found) => escapes[found]!);
}

const unescapes = new Map(Object.entries(escapes).map(([plain, escaped]) => [escaped, plain]));

/** Undefined if it has an unknown escape sequence. */
export function unescapeFieldName(escaped: string): string | undefined {
  let isRight = true;
  const name = escaped.replaceAll(/__[^_]+__/g, (sequence) => {
    const plain = unescapes.get(sequence);
    if (plain !== undefined) return plain;
    const word = sequence.slice(2, -2);
    isRight &&= reserved.has(word) && sequence.length === escaped.length;
    return word;
  });
  return isRight ? name : undefined;
}
