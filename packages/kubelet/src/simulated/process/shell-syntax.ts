/** A script, taken apart. */

export interface Pipeline {
  /** Whether it runs depends on how the one before it ended. */
  readonly onlyAfter?: 'success' | 'failure';
  readonly commands: readonly SimpleCommand[];
}

export interface SimpleCommand {
  readonly assignments: readonly { readonly name: string; readonly value: Word }[];
  readonly words: readonly Word[];
  readonly redirections: readonly { readonly operator: string; readonly target: Word }[];
}

/** Its parts stand next to each other. */
export type Word = readonly WordPart[];

export type WordPart =
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'variable';
      readonly name: string;
      readonly otherwise: string;
      readonly isQuoted: boolean;
    }
  | { readonly kind: 'command'; readonly script: string; readonly isQuoted: boolean };

/** Words that begin what is not known here. */
const controlWords = new Set(['if', 'while', 'until', 'for', 'case', 'function', '{', '(']);

const operator = /^(?:&&|\|\||2>&1|1?>&2|2>>|&>|1?>>|2>|1?>|<|[|;&\n()])/;

/** @throws Error with what a user reads */
export function parseScript(script: string): readonly Pipeline[] {
  const pipelines: Pipeline[] = [];
  let commands: SimpleCommand[] = [];
  let onlyAfter: Pipeline['onlyAfter'];
  let command = emptyCommand();
  let rest = script;
  const endCommand = () => {
    if (!isEmpty(command)) commands.push(command);
    command = emptyCommand();
  };
  const endPipeline = (next: Pipeline['onlyAfter']) => {
    endCommand();
    if (commands.length > 0) pipelines.push(onlyAfter === undefined ? { commands } : { onlyAfter, commands });
    commands = [];
    onlyAfter = next;
  };
  for (;;) {
    rest = rest.replace(/^(?:[ \t\r]|\\\n|#[^\n]*)+/, '');
    if (rest === '') break;
    const found = operator.exec(rest)?.[0];
    if (found === undefined) {
      const read = readWord(rest);
      rest = read.rest;
      addWord(command, read.word);
      continue;
    }
    rest = rest.slice(found.length);
    if (found === '&&') endPipeline('success');
    else if (found === '||') endPipeline('failure');
    else if (found === ';' || found === '\n') endPipeline(undefined);
    else if (found === '|') endCommand();
    else if (found === '&' || found === '(' || found === ')') throw unknown(found);
    else if (found.endsWith('>&2') || found === '2>&1')
      command.redirections.push({ operator: found === '2>&1' ? found : '>&2', target: [] });
    else {
      const read = readWord(rest.replace(/^[ \t]+/, ''));
      rest = read.rest;
      command.redirections.push({ operator: found === '&>' ? '>' : found, target: read.word });
    }
  }
  endPipeline(undefined);
  return pipelines;
}

interface OpenCommand {
  readonly assignments: { readonly name: string; readonly value: Word }[];
  readonly words: Word[];
  readonly redirections: { readonly operator: string; readonly target: Word }[];
}

const emptyCommand = (): OpenCommand => ({ assignments: [], words: [], redirections: [] });

const isEmpty = ({ assignments, words, redirections }: OpenCommand): boolean =>
  assignments.length + words.length + redirections.length === 0;

const unknown = (word: string): Error =>
  new Error(`syntax error: the shell of a simulated container does not know "${word}"`);

function addWord(command: OpenCommand, word: Word): void {
  const [first, ...others] = word;
  if (command.words.length === 0 && first?.kind === 'text') {
    const equals = /^([A-Za-z_]\w*)=(.*)$/s.exec(first.text);
    if (equals !== null) {
      const value: Word = [{ kind: 'text', text: equals[2]! }, ...others];
      command.assignments.push({ name: equals[1]!, value });
      return;
    }
    if (others.length === 0 && controlWords.has(first.text)) throw unknown(first.text);
  }
  command.words.push(word);
}

/** Up to the first character that ends a word. */
function readWord(script: string): { readonly word: Word; readonly rest: string } {
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
      text = (text ?? '') + rest.slice(1, end);
      rest = rest.slice(end + 1);
    } else if (rest.startsWith('"')) {
      flush();
      const quoted = readQuoted(rest.slice(1));
      parts.push({ kind: 'text', text: '' }, ...quoted.word);
      rest = quoted.rest;
    } else if (rest.startsWith('\\')) {
      text = (text ?? '') + rest.slice(1, 2);
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

function readQuoted(script: string): { readonly word: WordPart[]; readonly rest: string } {
  const word: WordPart[] = [];
  let text = '';
  let rest = script;
  while (!rest.startsWith('"')) {
    if (rest === '') throw new Error('syntax error: unterminated quoted string');
    const expansion = readExpansion(rest, true);
    if (expansion !== undefined) {
      word.push({ kind: 'text', text }, expansion.part);
      text = '';
      rest = expansion.rest;
      continue;
    }
    const isEscape = /^\\["\\$`\n]/.test(rest);
    text += isEscape ? rest[1]! : rest[0]!;
    rest = rest.slice(isEscape ? 2 : 1);
  }
  return { word: [...word, { kind: 'text', text }], rest: rest.slice(1) };
}

/** `$NAME`, `${NAME:-text}`, `$(script)`. */
function readExpansion(
  script: string,
  isQuoted: boolean,
): { readonly part: WordPart; readonly rest: string } | undefined {
  const variable = /^\$(?:([A-Za-z_]\w*|[?$])|\{([A-Za-z_]\w*)(?::?-([^}]*))?\})/.exec(script);
  if (variable !== null) {
    const name = variable[1] ?? variable[2]!;
    const part: WordPart = { kind: 'variable', name, otherwise: variable[3] ?? '', isQuoted };
    return { part, rest: script.slice(variable[0].length) };
  }
  if (!script.startsWith('$(')) return undefined;
  let depth = 0;
  for (let at = 1; at < script.length; at++) {
    if (script[at] === '(') depth++;
    if (script[at] === ')') depth--;
    if (depth === 0)
      return { part: { kind: 'command', script: script.slice(2, at), isQuoted }, rest: script.slice(at + 1) };
  }
  throw new Error('syntax error: unterminated "$("');
}
