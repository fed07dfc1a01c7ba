/** The parser of shell scripts. */
import { hereDocument, readWord, type Word } from './shell-words.ts';

export type Script = readonly Pipeline[];

export interface Pipeline {
  /** Whether it runs depends on the exit code of the command before. */
  readonly onlyAfter?: 'success' | 'failure';
  readonly isNegated: boolean;
  /** Nobody waits for it, except `wait`. */
  readonly isBackground?: boolean;
  readonly commands: readonly ShellCommand[];
}

export interface Redirection {
  readonly operator: string;
  /** The name of the file; of `<<` and `<<<`, the text itself. */
  target: Word;
}

interface Assignment {
  readonly name: string;
  readonly value: Word;
  /** Of an array, as in bash: `NAME=(a b)`. */
  readonly elements?: readonly Word[];
}

export interface SimpleCommand {
  readonly kind: 'simple';
  readonly assignments: readonly Assignment[];
  readonly words: readonly Word[];
  readonly redirections: readonly Redirection[];
}

type Compound =
  | {
      readonly kind: 'if';
      readonly clauses: readonly { readonly condition: Script; readonly body: Script }[];
      readonly otherwise: Script;
    }
  | {
      readonly kind: 'while';
      readonly until: boolean;
      readonly condition: Script;
      readonly body: Script;
    }
  | { readonly kind: 'for'; readonly name: string; readonly words: readonly Word[]; readonly body: Script }
  | {
      readonly kind: 'case';
      readonly word: Word;
      readonly branches: readonly { readonly patterns: readonly Word[]; readonly body: Script }[];
    }
  | { readonly kind: 'group'; readonly isSubshell: boolean; readonly body: Script }
  | { readonly kind: 'function'; readonly name: string; readonly body: ShellCommand };

export type ShellCommand = SimpleCommand | (Compound & { readonly redirections: readonly Redirection[] });

/** @throws Error with a message for the user */
export function parseScript(script: string): Script {
  const reader = new ScriptReader(script);
  const parsed = reader.list([]);
  if (!reader.isAtEnd) throw unexpected(reader.next());
  return parsed;
}

const operatorPattern = /^(?:&&|\|\||;;|2>&1|1?>&2|2>>|&>|1?>>|2>|1?>|<<<|<<-?|<|[|;&\n()])/;
const redirectionPattern = /^(?:[12]?>|&>|<)/;
const functionName = /^[A-Za-z_][\w-]*$/;
const reserved = /^(?:if|then|elif|else|fi|while|until|for|in|do|done|case|esac|function|select|!|\{|\})$/;

const unknown = (word: string): Error =>
  new Error(`syntax error: the shell of a simulated container does not know "${word}"`);

const unexpected = (word: string): Error =>
  new Error(word === '' ? 'syntax error: unexpected end of file' : `syntax error: unexpected "${word}"`);

/** A here-document whose lines follow at the end of the current one. */
interface Awaited {
  readonly redirection: Redirection;
  readonly delimiter: string;
  readonly isQuoted: boolean;
}

class ScriptReader {
  #rest: string;
  #awaited: Awaited[] = [];

  constructor(script: string) {
    this.#rest = script;
  }

  get isAtEnd(): boolean {
    return this.#blank() === '';
  }

  /** Parses commands up to one of these reserved words or operators, which is not consumed. */
  list(until: readonly string[]): Script {
    const pipelines: Pipeline[] = [];
    let onlyAfter: Pipeline['onlyAfter'];
    let chainAt = 0;
    for (;;) {
      this.#separators();
      if (onlyAfter === undefined) chainAt = pipelines.length;
      if (this.isAtEnd || until.includes(this.next())) break;
      const commands = this.#pipeline();
      pipelines.push(onlyAfter === undefined ? commands : { ...commands, onlyAfter });
      const after = this.next();
      onlyAfter = after === '&&' ? 'success' : after === '||' ? 'failure' : undefined;
      if (after === '&') pipelines.push(inBackground(pipelines.splice(chainAt)));
      if (onlyAfter !== undefined || after === '&') this.#take(after);
      else if (after !== ';' && after !== '\n' && after !== '' && !until.includes(after))
        throw unexpected(after);
    }
    if (onlyAfter !== undefined) throw unexpected(this.next());
    return pipelines;
  }

  /** The operator or reserved word at the current position, or the text of a word; empty at the end. */
  next(): string {
    const rest = this.#blank();
    const operator = operatorPattern.exec(rest)?.[0];
    return operator ?? /^[^\s;|&<>()'"$\\]*/.exec(rest)![0];
  }

  #pipeline(): Omit<Pipeline, 'onlyAfter'> {
    const isNegated = this.#skip('!');
    const commands = [this.#command()];
    while (this.next() === '|') {
      this.#take('|');
      this.#separators();
      commands.push(this.#command());
    }
    return { isNegated, commands };
  }

  #command(): ShellCommand {
    const compound = this.#compound() ?? this.#simple();
    if (compound.kind === 'simple') return compound;
    const redirections: Redirection[] = [];
    while (redirectionPattern.test(this.next())) redirections.push(this.#redirection());
    return { ...compound, redirections };
  }

  #compound(): Compound | undefined {
    const word = this.next();
    switch (word) {
      case 'if':
        return this.#if();
      case 'while':
      case 'until': {
        this.#take(word);
        const condition = this.#nonEmpty(['do']);
        return { kind: 'while', until: word === 'until', condition, body: this.#loopBody() };
      }
      case 'for':
        return this.#for();
      case 'case':
        return this.#case();
      case '{':
      case '(': {
        const end = word === '{' ? '}' : ')';
        this.#take(word);
        const body = this.#nonEmpty([end]);
        this.#take(end);
        return { kind: 'group', isSubshell: word === '(', body };
      }
      case 'function':
        this.#take(word);
        return this.#function(this.#word());
      case 'select':
        throw unknown(word);
    }
    if (reserved.test(word) || word === ')' || word === ';;') throw unexpected(word);
    return undefined;
  }

  #if(): Compound {
    const clauses: { condition: Script; body: Script }[] = [];
    let otherwise: Script = [];
    let word = 'if';
    while (word !== 'fi') {
      this.#take(word);
      if (word === 'else') {
        otherwise = this.#nonEmpty(['fi']);
      } else {
        const condition = this.#nonEmpty(['then']);
        this.#take('then');
        clauses.push({ condition, body: this.#nonEmpty(['elif', 'else', 'fi']) });
      }
      word = this.next();
    }
    this.#take('fi');
    return { kind: 'if', clauses, otherwise };
  }

  #for(): Compound {
    this.#take('for');
    const name = /^[A-Za-z_]\w*$/.exec(this.next())?.[0];
    if (name === undefined) throw unexpected(this.next());
    this.#take(name);
    const words: Word[] = [];
    if (this.#skip('in'))
      while (!this.isAtEnd && ![';', '\n'].includes(this.next())) words.push(this.#word());
    this.#separators();
    return { kind: 'for', name, words, body: this.#loopBody() };
  }

  #case(): Compound {
    this.#take('case');
    const word = this.#word();
    this.#separators();
    this.#take('in');
    const branches: { patterns: Word[]; body: Script }[] = [];
    for (this.#separators(); this.next() !== 'esac'; this.#separators()) {
      this.#skip('(');
      const patterns = [this.#word()];
      while (this.#skip('|')) patterns.push(this.#word());
      this.#take(')');
      branches.push({ patterns, body: this.list([';;', 'esac']) });
      this.#skip(';;');
    }
    this.#take('esac');
    return { kind: 'case', word, branches };
  }

  #loopBody(): Script {
    this.#take('do');
    const body = this.#nonEmpty(['done']);
    this.#take('done');
    return body;
  }

  #nonEmpty(until: readonly string[]): Script {
    const list = this.list(until);
    if (list.length === 0 || !until.includes(this.next())) throw unexpected(this.next());
    return list;
  }

  /** From the parentheses on, which a definition with `function` may lack. */
  #function(word: Word): Compound {
    const [part] = word;
    const name = word.length === 1 && part?.kind === 'text' && !part.isQuoted ? part.text : '';
    if (!functionName.test(name)) throw unexpected('(');
    if (this.#skip('(')) this.#take(')');
    this.#separators();
    const body = this.#command();
    if (body.kind === 'simple') throw unexpected(this.next());
    return { kind: 'function', name, body };
  }

  #simple(): SimpleCommand | Compound {
    const assignments: Assignment[] = [];
    const words: Word[] = [];
    const redirections: Redirection[] = [];
    for (;;) {
      const next = this.next();
      if (redirectionPattern.test(next)) redirections.push(this.#redirection());
      else if (isBeforeExpression(words)) words.push(this.#expression());
      else if (this.#blank() === '' || operatorPattern.test(next)) break;
      else {
        const word = this.#word();
        const assignment = words.length === 0 ? assignmentOf(word) : undefined;
        if (assignment === undefined) words.push(word);
        else if (!isEmpty(assignment.value) || !this.#rest.startsWith('(')) assignments.push(assignment);
        else assignments.push({ ...assignment, elements: this.#elements() });
      }
    }
    if (this.next() === '(' && words.length === 1) return this.#function(words[0]!);
    if (this.next() === '(') throw unexpected('(');
    return { kind: 'simple', assignments, words, redirections };
  }

  /** A regular expression, up to the next blank. */
  #expression(): Word {
    const text = /^[^\s;]*/.exec(this.#blank())![0];
    this.#rest = this.#rest.slice(text.length);
    return [{ kind: 'text', text, isQuoted: true }];
  }

  #elements(): readonly Word[] {
    const words: Word[] = [];
    this.#take('(');
    for (this.#separators(); this.next() !== ')'; this.#separators()) words.push(this.#word());
    this.#take(')');
    return words;
  }

  #redirection(): Redirection {
    const operator = this.next();
    this.#take(operator);
    if (operator === '<<' || operator === '<<-') return this.#hereDocument(operator);
    if (operator === '2>&1' || operator.endsWith('>&2'))
      return { operator: operator === '2>&1' ? operator : '>&2', target: [] };
    return { operator: operator === '&>' ? '>' : operator, target: this.#word() };
  }

  #hereDocument(operator: string): Redirection {
    const redirection = { operator, target: [] };
    const word = this.#word();
    const delimiter = word.map((part) => (part.kind === 'text' ? part.text : '')).join('');
    const isQuoted = word.some((part) => part.kind === 'text' && part.isQuoted);
    this.#awaited.push({ redirection, delimiter, isQuoted });
    return redirection;
  }

  /** At the beginning of a line. */
  #readHereDocuments(): void {
    for (const { redirection, delimiter, isQuoted } of this.#awaited.splice(0)) {
      let text = '';
      while (this.#rest !== '') {
        const end = `${this.#rest}\n`.indexOf('\n');
        const whole = this.#rest.slice(0, end);
        this.#rest = this.#rest.slice(end + 1);
        const line = redirection.operator === '<<-' ? whole.replace(/^\t+/, '') : whole;
        if (line === delimiter) break;
        text += `${line}\n`;
      }
      redirection.target = isQuoted ? [{ kind: 'text', text, isQuoted }] : hereDocument(text);
    }
  }

  #word(): Word {
    this.#blank();
    const { word, rest } = readWord(this.#rest);
    if (rest === this.#rest) throw unexpected(this.next());
    this.#rest = rest;
    return word;
  }

  #skip(text: string): boolean {
    if (this.next() !== text) return false;
    this.#take(text);
    return true;
  }

  #take(text: string): void {
    if (this.next() !== text) throw unexpected(this.next());
    this.#rest = this.#rest.slice(text.length);
  }

  #separators(): void {
    for (let next = this.next(); next === ';' || next === '\n'; next = this.next()) {
      this.#rest = this.#rest.slice(1);
      if (next === '\n') this.#readHereDocuments();
    }
  }

  /** Skips blanks and comments. */
  #blank(): string {
    this.#rest = this.#rest.replace(/^(?:[ \t\r]|\\\n|#[^\n]*)+/, '');
    return this.#rest;
  }
}

const inBackground = (body: Script): Pipeline => ({
  isNegated: false,
  isBackground: true,
  commands: [{ kind: 'group', isSubshell: true, body, redirections: [] }],
});

function assignmentOf([first, ...others]: Word) {
  const equals = first?.kind === 'text' && !first.isQuoted ? /^([A-Za-z_]\w*)=(.*)$/s.exec(first.text) : null;
  if (equals === null) return undefined;
  return { name: equals[1]!, value: [{ kind: 'text' as const, text: equals[2]! }, ...others] };
}

/** After `[[ TEXT =~`. Variables in the expression are not expanded. */
const isBeforeExpression = (words: readonly Word[]): boolean =>
  words.length > 2 && isText(words[0]!, '[[') && isText(words.at(-1)!, '=~');

const isText = ([part, ...others]: Word, text: string): boolean =>
  part?.kind === 'text' && part.text === text && others.length === 0;

const isEmpty = (word: Word): boolean => word.every((part) => part.kind === 'text' && part.text === '');
