/** Source text with line numbers and basic highlighting of comments, strings and keywords. */

import { element } from './elements.ts';

const tokens =
  /(\/\/.*$|\/\*.*?(?:\*\/|$)|^\s*\*.*$)|('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`?)|\b(abstract|as|async|await|break|case|catch|class|const|continue|default|delete|do|else|export|extends|finally|for|from|function|get|if|implements|import|in|instanceof|interface|let|new|of|private|readonly|return|set|static|super|switch|this|throw|try|type|typeof|undefined|null|true|false|void|while|yield)\b|\b(\d[\d_.]*)\b/g;

const names = ['comment', 'text', 'keyword', 'number'];

/** The whole file. {@link scrollToLine} then shows the line. */
export function sourceElement(text: string, line: number): HTMLElement {
  const code = element('div', 'source');
  for (const [index, content] of text.split('\n').entries()) {
    const row = element('div', index + 1 === line ? 'line here' : 'line');
    row.append(element('span', 'number', String(index + 1)), lineElement(content));
    code.append(row);
  }
  return code;
}

/** Must be called once the element is in the document. */
export function scrollToLine(code: HTMLElement): void {
  const here = code.querySelector<HTMLElement>('.here');
  if (here !== null) code.scrollTop = here.offsetTop - code.clientHeight / 3;
}

function lineElement(content: string): HTMLElement {
  const made = element('span', 'content');
  let reached = 0;
  for (const match of content.matchAll(tokens)) {
    made.append(content.slice(reached, match.index));
    const kind = match.slice(1).findIndex((group) => group !== undefined);
    made.append(element('span', names[kind] ?? '', match[0]));
    reached = match.index + match[0].length;
  }
  made.append(content.slice(reached) || ' ');
  return made;
}
