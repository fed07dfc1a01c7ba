/** Words of a script: text, quotes, and expansions. */

/** The adjacent parts of one word. */
export type Word = readonly WordPart[];

export type WordPart =
  | { readonly kind: 'text'; readonly text: string; readonly isQuoted?: boolean }
  | {
      readonly kind: 'variable';
      readonly name: string;
      /** Of an array: an expression, `@` for all elements, `#` for their number. */
      readonly index?: string | undefined;
      /** `${NAME:-text}`: what replaces the value if it is unset, or with a colon also if it is empty. */
      readonly fallback?: { readonly operator: string; readonly text: string } | undefined;
      /** `${NAME%pattern}`, `${NAME##pattern}`; `length` for `${#NAME}`. */
      readonly change?: { readonly operator: string; readonly pattern: string } | undefined;
      readonly isQuoted: boolean;
    }
  | { readonly kind: 'command'; readonly script: string; readonly isQuoted: boolean }
  | { readonly kind: 'arithmetic'; readonly expression: string; readonly isQuoted: boolean };

/** Up to the first character that ends a word. */
export function readWord(script: string): { readonly word: Word; readonly rest: string } {
  const parts: WordPart[] = [];
  let text: string | undefined;
  let rest = script;
  const flush = () => {
    if (text !== undefined) parts.push({ kind: 'text', text });
    text = undefined;
  };
  while (rest !== '' && !/^[ \t\r\n;|&<>()]/.test(rest)) {
    if (rest.startsWith("'")) {
      const end = rest.indexOf("'", 1);
      if (end < 0) throw new Error('syntax error: unterminated quoted string');
      flush();
      parts.push({ kind: 'text', text: rest.slice(1, end), isQuoted: true });
      rest = rest.slice(end + 1);
    } else if (rest.startsWith('"')) {
      flush();
      const quoted = readQuoted(rest.slice(1));
      parts.push({ kind: 'text', text: '', isQuoted: true }, ...quoted.word);
      rest = quoted.rest;
    } else if (rest.startsWith('\\')) {
      flush();
      // An escaped newline joins two lines.
      if (rest[1] !== '\n') parts.push({ kind: 'text', text: rest.slice(1, 2), isQuoted: true });
      rest = rest.slice(2);
    } else {
      const expansion = readExpansion(rest, false);
      if (expansion !== undefined) {
        flush();
        parts.push(expansion.part);
        rest = expansion.rest;
        continue;
      }
      text = (text ?? '') + rest[0]!;
      rest = rest.slice(1);
    }
  }
  flush();
  return { word: parts, rest };
}

/** The text of a here-document, in which a quotation mark is a character like any other. */
export const hereDocument = (text: string): Word => readQuoted(text, '').word;

function readQuoted(
  script: string,
  end: '"' | '' = '"',
): { readonly word: WordPart[]; readonly rest: string } {
  const word: WordPart[] = [];
  let text = '';
  let rest = script;
  while (end === '' ? rest !== '' : !rest.startsWith(end)) {
    if (rest === '') throw new Error('syntax error: unterminated quoted string');
    const expansion = readExpansion(rest, true);
    if (expansion !== undefined) {
      word.push({ kind: 'text', text, isQuoted: true }, expansion.part);
      text = '';
      rest = expansion.rest;
      continue;
    }
    const isEscape = (end === '' ? /^\\[\\$`\n]/ : /^\\["\\$`\n]/).test(rest);
    // An escaped newline joins two lines.
    if (!rest.startsWith('\\\n')) text += isEscape ? rest[1]! : rest[0]!;
    rest = rest.slice(isEscape ? 2 : 1);
  }
  return { word: [...word, { kind: 'text', text, isQuoted: true }], rest: rest.slice(end.length) };
}

/** `$NAME`, `${NAME:-text}`, `${NAME[index]}`, `$(script)`, `` `script` ``, `$((expression))`. */
function readExpansion(
  script: string,
  isQuoted: boolean,
): { readonly part: WordPart; readonly rest: string } | undefined {
  const element = /^\$\{(#?)([A-Za-z_]\w*)\[([^\]]*)\]\}/.exec(script);
  if (element !== null) {
    const [whole, isCount, name = '', index] = element;
    const part: WordPart = { kind: 'variable', name, index: isCount ? '#' : index, isQuoted };
    return { part, rest: script.slice(whole.length) };
  }
  const changed = /^\$\{(?:#([A-Za-z_]\w*)|([A-Za-z_]\w*|\d)(%%?|##?)([^}]*))\}/.exec(script);
  if (changed !== null) {
    const [whole, counted, name = counted ?? '', operator = '#', pattern = ''] = changed;
    const change = counted === undefined ? { operator, pattern } : { operator: 'length', pattern };
    return {
      part: { kind: 'variable', name, change, isQuoted },
      rest: script.slice(whole.length),
    };
  }
  const variable =
    /^\$(?:([A-Za-z_]\w*|[?$#@*!0-9])|\{([A-Za-z_]\w*|[?$#@*!0-9])(?:(:?[-+=?])([^}]*))?\})/.exec(script);
  if (variable !== null) {
    const name = variable[1] ?? variable[2]!;
    const [, , , operator, text = ''] = variable;
    const fallback = operator === undefined ? undefined : { operator, text };
    const part: WordPart = { kind: 'variable', name, fallback, isQuoted };
    return { part, rest: script.slice(variable[0].length) };
  }
  const quoted = /^`((?:\\[^]|[^`\\])*)`/.exec(script);
  if (quoted !== null) {
    const inner = quoted[1]!.replaceAll(/\\([`$\\])/g, '$1');
    return { part: { kind: 'command', script: inner, isQuoted }, rest: script.slice(quoted[0].length) };
  }
  if (!script.startsWith('$(')) return undefined;
  const inner = parenthesized(script.slice(1));
  const rest = script.slice(1 + inner.length);
  const text = inner.slice(1, -1);
  const expression = /^\(([\s\S]*)\)$/.exec(text)?.[1];
  return expression === undefined
    ? { part: { kind: 'command', script: text, isQuoted }, rest }
    : { part: { kind: 'arithmetic', expression, isQuoted }, rest };
}

/** The text from a parenthesis to the one that closes it. */
function parenthesized(script: string): string {
  let depth = 0;
  for (let at = 0; at < script.length; at++) {
    if (script[at] === '(') depth++;
    if (script[at] === ')') depth--;
    if (depth === 0) return script.slice(0, at + 1);
  }
  throw new Error('syntax error: unterminated "$("');
}

/** A word as it could be typed. */
export const quoted = (word: string): string =>
  /^[\w%+,./:=@-]*$/.test(word) ? word : `'${word.replaceAll("'", `'"'"'`)}'`;
