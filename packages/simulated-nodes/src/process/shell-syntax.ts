/** The parser of shell scripts. Functions, background jobs and here-documents are not supported. */
import { isShellName } from './shell-executables.ts';
import { startedBy, starters } from './starters.ts';
import { readWord, type Word } from './shell-words.ts';

export type Script = readonly Pipeline[];

export interface Pipeline {
  /** Whether it runs depends on the exit code of the command before. */
  readonly onlyAfter?: 'success' | 'failure';
  readonly isNegated: boolean;
  readonly commands: readonly ShellCommand[];
}

export interface Redirection {
  readonly operator: string;
  readonly target: Word;
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
  | { readonly kind: 'group'; readonly isSubshell: boolean; readonly body: Script };

export type ShellCommand = SimpleCommand | (Compound & { readonly redirections: readonly Redirection[] });

/** @throws Error with a message for the user */
export function parseScript(script: string): Script {
  const reader = new ScriptReader(script);
  const parsed = reader.list([]);
  if (!reader.isAtEnd) throw unexpected(reader.next());
  return parsed;
}

const operatorPattern = /^(?:&&|\|\||;;|2>&1|1?>&2|2>>|&>|1?>>|2>|1?>|<<|<|[|;&\n()])/;
const redirectionPattern = /^(?:[12]?>|&>|<)/;
const reserved = /^(?:if|then|elif|else|fi|while|until|for|in|do|done|case|esac|function|select|!|\{|\})$/;

const unknown = (word: string): Error =>
  new Error(`syntax error: the shell of a simulated container does not know "${word}"`);

const unexpected = (word: string): Error =>
  new Error(word === '' ? 'syntax error: unexpected end of file' : `syntax error: unexpected "${word}"`);

class ScriptReader {
  #rest: string;

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
    for (;;) {
      this.#separators();
      if (this.isAtEnd || until.includes(this.next())) break;
      const commands = this.#pipeline();
      pipelines.push(onlyAfter === undefined ? commands : { ...commands, onlyAfter });
      const after = this.next();
      onlyAfter = after === '&&' ? 'success' : after === '||' ? 'failure' : undefined;
      if (after === '&') throw unknown('&');
      if (onlyAfter !== undefined) this.#take(after);
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
    const compound = this.#compound();
    if (compound === undefined) return this.#simple();
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

  #simple(): SimpleCommand {
    const assignments: Assignment[] = [];
    const words: Word[] = [];
    const redirections: Redirection[] = [];
    for (;;) {
      const next = this.next();
      if (redirectionPattern.test(next)) redirections.push(this.#redirection());
      else if (this.#blank() === '' || operatorPattern.test(next)) break;
      else {
        const word = this.#word();
        const assignment = words.length === 0 ? assignmentOf(word) : undefined;
        if (assignment === undefined) words.push(word);
        else if (!isEmpty(assignment.value) || !this.#rest.startsWith('(')) assignments.push(assignment);
        else assignments.push({ ...assignment, elements: this.#elements() });
      }
    }
    if (this.next() === '(') throw unknown('(');
    return { kind: 'simple', assignments, words, redirections };
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
    if (operator === '<<') throw unknown(operator);
    this.#take(operator);
    if (operator === '2>&1' || operator.endsWith('>&2'))
      return { operator: operator === '2>&1' ? operator : '>&2', target: [] };
    return { operator: operator === '&>' ? '>' : operator, target: this.#word() };
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
    while ([';', '\n'].includes(this.next())) this.#rest = this.#rest.slice(1);
  }

  /** Skips blanks and comments. */
  #blank(): string {
    this.#rest = this.#rest.replace(/^(?:[ \t\r]|\\\n|#[^\n]*)+/, '');
    return this.#rest;
  }
}

function assignmentOf([first, ...others]: Word) {
  const equals = first?.kind === 'text' && !first.isQuoted ? /^([A-Za-z_]\w*)=(.*)$/s.exec(first.text) : null;
  if (equals === null) return undefined;
  return { name: equals[1]!, value: [{ kind: 'text' as const, text: equals[2]! }, ...others] };
}

const isEmpty = (word: Word): boolean => word.every((part) => part.kind === 'text' && part.text === '');

/** The programs that a script names; undefined if one of them is known only at run time. */
export function* programsOf(script: Script): Iterable<string | undefined> {
  for (const { commands } of script) for (const command of commands) yield* programsOfCommand(command);
}

function* programsOfCommand(command: ShellCommand): Iterable<string | undefined> {
  switch (command.kind) {
    case 'simple': {
      if (command.words.length > 0) yield* programsOfWords(command.words);
      const assigned = command.assignments.flatMap(({ value, elements = [] }) => [value, ...elements]);
      for (const word of [...command.words, ...assigned])
        for (const part of word) if (part.kind === 'command') yield* programsOf(parseScript(part.script));
      return;
    }
    case 'if':
      for (const { condition, body } of command.clauses) yield* programsOf([...condition, ...body]);
      return yield* programsOf(command.otherwise);
    case 'while':
      return yield* programsOf([...command.condition, ...command.body]);
    case 'case':
      for (const { body } of command.branches) yield* programsOf(body);
      return;
    case 'for':
    case 'group':
      return yield* programsOf(command.body);
  }
}

const programsOfWords = (words: readonly Word[]): Iterable<string | undefined> =>
  programsOfCommandLine(words.map(literal));

/**
 * The first word, and the program that it starts, as `exec`, `env` or `timeout` do; undefined if the name is known only
 * at run time.
 * @throws Error if it is a shell with a script that is not supported
 */
export function* programsOfCommandLine([name, ...rest]: readonly (string | undefined)[]): Iterable<
  string | undefined
> {
  yield name;
  if (name === undefined) return;
  const words = rest.map((word) => word ?? unknownWord);
  if (isShellName(name)) {
    const script = /^-[a-z]*c$/.test(words[0] ?? '') ? rest[1] : '';
    if (script === undefined) yield undefined;
    else yield* programsOf(parseScript(script));
    return;
  }
  const isQuestion = name === 'command' && /^-p?[vV]/.test(words[0] ?? '');
  const started = isQuestion || !Object.hasOwn(starters, name) ? [] : startedBy(starters[name]!, words);
  if (started.length > 0)
    yield* programsOfCommandLine(started.map((word) => (word === unknownWord ? undefined : word)));
}

/** Stands for a word that is known only at run time. */
const unknownWord = '\0';

/** The text of a word without expansions. */
const literal = (word: Word): string | undefined => {
  const texts = word.flatMap((part) => (part.kind === 'text' ? [part.text] : []));
  return texts.length === word.length ? texts.join('') : undefined;
};
