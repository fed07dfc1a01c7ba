/**
 * Parses the interfaces and type aliases of a TypeScript file as far as they describe data: no functions, classes,
 * user-defined generics or computed types. Everything else in the file is skipped.
 */

import { docComment, noComment, type DocComment } from './doc-comment.ts';

export type TypeNode =
  | { readonly form: 'name'; readonly name: string; readonly args: readonly TypeNode[] }
  | { readonly form: 'object'; readonly members: readonly Member[]; readonly values?: TypeNode }
  | { readonly form: 'list'; readonly element: TypeNode }
  | { readonly form: 'union'; readonly options: readonly TypeNode[] }
  | { readonly form: 'literal'; readonly value: string | number | boolean };

export interface Member {
  readonly name: string;
  readonly optional: boolean;
  readonly type: TypeNode;
  readonly comment: DocComment;
}

export interface Declaration {
  readonly name: string;
  readonly comment: DocComment;
  readonly parents: readonly string[];
  readonly type: TypeNode;
}

interface Token {
  readonly kind: 'comment' | 'text' | 'number' | 'word' | 'sign' | 'end';
  readonly text: string;
  readonly line: number;
}

const pattern =
  /(?<comment>\/\*\*[^]*?\*\/)|\/\*[^]*?\*\/|\/\/.*|(?<text>'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")|(?<number>-?\d[\d_]*(?:\.\d+)?(?:e[+-]?\d+)?)|(?<word>[\p{L}_$][\p{L}\p{N}_$]*)|(?<sign>\S)/gu;

/** @throws Error with the line of a type that no data can have */
export function declaredTypes(source: string): readonly Declaration[] {
  return new Parser(tokensOf(source)).declarations();
}

function tokensOf(source: string): readonly Token[] {
  let line = 1;
  let end = 0;
  const tokens = [...source.matchAll(pattern)].flatMap(({ index, groups = {} }): Token[] => {
    for (; end < index; end++) if (source[end] === '\n') line++;
    const [kind, text] = Object.entries(groups).find(([, value]) => value !== undefined) ?? [];
    return text === undefined ? [] : [{ kind: kind as Token['kind'], text, line }];
  });
  return [...tokens, { kind: 'end', text: 'the end of the file', line }];
}

class Parser {
  readonly #tokens: readonly Token[];
  #at = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  declarations(): readonly Declaration[] {
    const found: Declaration[] = [];
    let depth = 0;
    let comment = noComment;
    while (this.#next.kind !== 'end') {
      const { kind, text } = this.#take();
      if (kind === 'comment') comment = docComment(text);
      else if (depth === 0 && kind === 'word' && text === 'export') continue;
      else {
        const isDeclared = depth === 0 && kind === 'word' && this.#next.kind === 'word';
        if (isDeclared && text === 'interface') found.push(this.#interface(comment));
        else if (isDeclared && text === 'type' && this.#tokens[this.#at + 1]?.text === '=')
          found.push(this.#alias(comment));
        else if (kind === 'sign' && '{[('.includes(text)) depth++;
        else if (kind === 'sign' && '}])'.includes(text)) depth--;
        comment = noComment;
      }
    }
    return found;
  }

  get #next(): Token {
    return this.#tokens[this.#at]!;
  }

  #take(): Token {
    const token = this.#next;
    if (token.kind !== 'end') this.#at++;
    return token;
  }

  #takeIf(text: string): boolean {
    const isThere = this.#next.text === text && this.#next.kind !== 'text';
    if (isThere) this.#at++;
    return isThere;
  }

  #expect(text: string): void {
    if (!this.#takeIf(text)) this.#fail(`expected "${text}"`);
  }

  #fail(what: string): never {
    throw new Error(`line ${this.#next.line}: ${what}, found "${this.#next.text}"`);
  }

  #interface(comment: DocComment): Declaration {
    const name = this.#take().text;
    if (this.#next.text === '<') this.#fail('an interface with type parameters has no schema');
    const parents: string[] = [];
    if (this.#takeIf('extends'))
      do parents.push(this.#parent());
      while (this.#takeIf(','));
    this.#expect('{');
    return { name, comment, parents, type: this.#members() };
  }

  #parent(): string {
    const type = this.#type();
    return type.form === 'name' ? type.name : this.#fail('expected the name of an interface');
  }

  #alias(comment: DocComment): Declaration {
    const name = this.#take().text;
    this.#expect('=');
    const type = this.#type();
    this.#takeIf(';');
    return { name, comment, parents: [], type };
  }

  /** Parses members after the opening brace. */
  #members(): TypeNode {
    const members: Member[] = [];
    let values: TypeNode | undefined;
    let comment = noComment;
    while (!this.#takeIf('}')) {
      if (this.#next.kind === 'comment') {
        comment = docComment(this.#take().text);
        continue;
      }
      if (this.#takeIf('[')) values = this.#values();
      else members.push(this.#member(comment));
      comment = noComment;
      if (!this.#takeIf(';')) this.#takeIf(',');
    }
    return { form: 'object', members, ...(values !== undefined && { values }) };
  }

  /** Parses `[key: string]: T` after the bracket. */
  #values(): TypeNode {
    this.#take();
    this.#expect(':');
    this.#expect('string');
    this.#expect(']');
    this.#expect(':');
    return this.#type();
  }

  #member(comment: DocComment): Member {
    const isFollowed = this.#tokens[this.#at + 1];
    if (this.#next.text === 'readonly' && !':?'.includes(isFollowed?.text ?? ':')) this.#at++;
    const { kind, text } = this.#take();
    if (kind !== 'word' && kind !== 'text') this.#fail('expected the name of a member');
    const optional = this.#takeIf('?');
    if (this.#next.text === '(') this.#fail(`data has no methods such as ${text}`);
    this.#expect(':');
    return { name: kind === 'text' ? textIn(text) : text, optional, type: this.#type(), comment };
  }

  #type(): TypeNode {
    this.#takeIf('|');
    const options = [this.#listed()];
    while (this.#takeIf('|')) options.push(this.#listed());
    if (this.#next.text === '&') this.#fail('an intersection has no schema: use "extends"');
    return options.length === 1 ? options[0]! : { form: 'union', options };
  }

  #listed(): TypeNode {
    let type = this.#single();
    while (this.#next.text === '[' && this.#tokens[this.#at + 1]?.text === ']') {
      this.#at += 2;
      type = { form: 'list', element: type };
    }
    return type;
  }

  #single(): TypeNode {
    const { kind, text } = this.#next;
    if (kind === 'end' || (kind === 'sign' && !'{('.includes(text))) this.#fail('expected a type');
    this.#take();
    if (kind === 'text') return { form: 'literal', value: textIn(text) };
    if (kind === 'number') return { form: 'literal', value: Number(text.replaceAll('_', '')) };
    if (text === 'true' || text === 'false') return { form: 'literal', value: text === 'true' };
    if (text === 'readonly') return this.#listed();
    if (text === '{') return this.#members();
    if (text === '(') {
      const type = this.#type();
      this.#expect(')');
      return type;
    }
    const args: TypeNode[] = [];
    if (this.#takeIf('<')) {
      do args.push(this.#type());
      while (this.#takeIf(','));
      this.#expect('>');
    }
    return { form: 'name', name: text, args };
  }
}

const textIn = (literal: string): string => literal.slice(1, -1).replaceAll(/\\(.)/g, '$1');
