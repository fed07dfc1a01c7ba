/** Indents JSON text by two spaces per level; numbers and strings keep their text. */
export function indentJson(text: string): string {
  let pretty = '';
  let depth = 0;
  let at = 0;
  while (at < text.length) {
    const character = text[at]!;
    if (character === '"') {
      const end = endOfString(text, at);
      pretty += text.slice(at, end);
      at = end;
      continue;
    }
    at++;
    if (character === '{' || character === '[') {
      const next = text[at]!;
      if (next === '}' || next === ']') {
        pretty += character + next;
        at++;
      } else pretty += `${character}\n${'  '.repeat(++depth)}`;
    } else if (character === '}' || character === ']') pretty += `\n${'  '.repeat(--depth)}${character}`;
    else if (character === ',') pretty += `,\n${'  '.repeat(depth)}`;
    else if (character === ':') pretty += ': ';
    else if (character !== '\n' && character !== ' ') pretty += character;
  }
  return pretty;
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}
