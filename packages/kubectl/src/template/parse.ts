/** Parses Go templates into trees. */
import { unquote } from '@coxswain/apimachinery/go-unquote.ts';
import { goQuote } from '@coxswain/cobra/go-quote.ts';
import { lex, lineOf, TemplateError, type Token } from './lex.ts';

export type Operand =
  | { readonly type: 'dot' | 'nil'; readonly at: number }
  /** Integers are bigints. */
  | {
      readonly type: 'value';
      readonly value: string | number | bigint | boolean;
      readonly at: number;
      readonly text: string;
    }
  | { readonly type: 'field'; readonly names: readonly string[]; readonly at: number; readonly text: string }
  | {
      readonly type: 'variable';
      readonly name: string;
      readonly names: readonly string[];
      readonly at: number;
      readonly text: string;
    }
  | {
      readonly type: 'function';
      readonly name: string;
      /** `len.items`: the function without arguments, and fields of its result. */
      readonly names: readonly string[];
      readonly at: number;
      readonly text: string;
    }
  | {
      readonly type: 'pipe';
      readonly pipe: Pipe;
      readonly names: readonly string[];
      readonly at: number;
      readonly text: string;
    };

export interface Pipe {
  /** Variables that receive the value: declared with `:=` or assigned with `=`. */
  readonly variables: readonly string[];
  readonly assigns: boolean;
  readonly commands: readonly (readonly Operand[])[];
  /** Each command as errors show it. */
  readonly texts: readonly string[];
  readonly text: string;
  readonly at: number;
}

export type Node =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'action'; readonly pipe: Pipe }
  | {
      readonly type: 'if' | 'with' | 'range';
      readonly pipe: Pipe;
      readonly body: readonly Node[];
      readonly otherwise: readonly Node[];
    }
  | { readonly type: 'template'; readonly name: string; readonly pipe: Pipe | undefined; readonly at: number }
  | { readonly type: 'break' | 'continue' };

export interface Template {
  readonly name: string;
  readonly source: string;
  readonly root: readonly Node[];
  readonly defined: ReadonlyMap<string, readonly Node[]>;
}

/** @throws TemplateError with text/template's message */
export function parseTemplate(name: string, source: string, functions: ReadonlySet<string>): Template {
  const parser = new Parser(name, source, functions);
  const root = parser.nodes([]).nodes;
  return { name, source, root, defined: parser.defined };
}

class Parser {
  readonly defined = new Map<string, readonly Node[]>();
  readonly #name: string;
  readonly #source: string;
  readonly #functions: ReadonlySet<string>;
  readonly #tokens: Token[];
  readonly #variables: string[] = ['$'];
  #next = 0;

  constructor(name: string, source: string, functions: ReadonlySet<string>) {
    this.#name = name;
    this.#source = source;
    this.#functions = functions;
    this.#tokens = lex(name, source);
  }

  #fail(message: string, at = this.#peek().at): never {
    throw new TemplateError(`template: ${this.#name}:${lineOf(this.#source, at)}: ${message}`);
  }

  #peek(): Token {
    const token = this.#tokens[this.#next] as Token;
    // Lexer errors are reported only when the parser reaches them.
    if (token.type === 'error') throw new TemplateError(token.text);
    return token;
  }

  #take(): Token {
    const token = this.#peek();
    this.#next++;
    return token;
  }

  #takeNonSpace(): Token {
    this.#skipSpace();
    return this.#take();
  }

  #skipSpace(): void {
    while (this.#peek().type === 'space') this.#next++;
  }

  /** Parses nodes up to one of the keywords, which is consumed. */
  nodes(until: readonly string[]): { nodes: Node[]; ended: string } {
    const nodes: Node[] = [];
    for (;;) {
      const token = this.#take();
      if (token.type === 'end') {
        if (until.length > 0) this.#fail('unexpected EOF', token.at);
        return { nodes, ended: '' };
      }
      if (token.type === 'text') {
        nodes.push({ type: 'text', text: token.text });
        continue;
      }
      this.#skipSpace();
      const word = this.#peek();
      if (word.type === 'keyword' && (word.text === 'end' || word.text === 'else')) {
        if (!until.includes(word.text)) this.#fail(`unexpected {{${word.text}}}`);
        this.#take();
        return { nodes, ended: word.text };
      }
      const node = this.#action();
      if (node !== undefined) nodes.push(node);
    }
  }

  #close(context: string): void {
    const token = this.#takeNonSpace();
    if (token.type !== 'close') this.#fail(`unexpected ${describe(token)} in ${context}`, token.at);
  }

  #action(): Node | undefined {
    const word = this.#peek();
    if (word.type !== 'keyword') return { type: 'action', pipe: this.#pipe('command', 'close') };
    this.#take();
    switch (word.text) {
      case 'if':
      case 'with':
      case 'range':
        return this.#control(word.text);
      case 'break':
      case 'continue':
        if (this.#rangeDepth === 0) this.#fail(`{{${word.text}}} outside {{range}}`, word.at);
        this.#close(word.text);
        return { type: word.text };
      case 'define':
        this.#define();
        return undefined;
      case 'block':
      case 'template':
        return this.#templateCall(word.text === 'block');
      default:
        return this.#fail(`unexpected {{${word.text}}}`);
    }
  }

  /** The nesting depth of ranges. */
  #rangeDepth = 0;

  #control(type: 'if' | 'with' | 'range'): Node {
    const depth = this.#variables.length;
    const pipe = this.#pipe(type, 'close');
    if (type === 'range') this.#rangeDepth++;
    const { nodes: body, ended } = this.nodes(['end', 'else']);
    if (type === 'range') this.#rangeDepth--;
    let otherwise: Node[] = [];
    if (ended === 'else') {
      this.#skipSpace();
      const word = this.#peek();
      if (word.type === 'keyword' && (word.text === 'if' || word.text === 'with')) {
        this.#take();
        otherwise = [this.#control(word.text)];
        this.#variables.length = depth;
        return { type, pipe, body, otherwise };
      }
      this.#close('else');
      otherwise = this.nodes(['end']).nodes;
    }
    this.#close('end');
    this.#variables.length = depth;
    return { type, pipe, body, otherwise };
  }

  #quotedName(context: string): string {
    const token = this.#takeNonSpace();
    if (token.type !== 'string') this.#fail(`unexpected ${describe(token)} in ${context}`, token.at);
    return this.#unquoted(token);
  }

  #unquoted({ text, at }: Token): string {
    return (text.startsWith('`') ? text.slice(1, -1) : unquote(text)) ?? this.#fail('invalid syntax', at);
  }

  #character(token: Token): bigint {
    const [first = '', ...others] = this.#unquoted(token);
    if (others.length > 0) this.#fail(`malformed character constant: ${token.text}`, token.at);
    return BigInt(first.codePointAt(0) ?? 0);
  }

  #number({ text, at }: Token): bigint | number {
    const value = numberOf(text.replaceAll('_', ''));
    if (Number.isNaN(value)) this.#fail(`illegal number syntax: ${goQuote(text)}`, at);
    if (typeof value === 'bigint' && BigInt.asIntN(64, value) !== value)
      this.#fail(`integer overflow: ${goQuote(text)}`, at);
    return value;
  }

  #keep(name: string, nodes: readonly Node[]): void {
    const isEmpty = (some: readonly Node[]) =>
      some.every((node) => node.type === 'text' && node.text.trim() === '');
    const known = this.defined.get(name);
    if (known === undefined || isEmpty(known)) this.defined.set(name, nodes);
    else if (!isEmpty(nodes)) this.#fail(`template: multiple definition of template ${goQuote(name)}`);
  }

  #define(): void {
    const name = this.#quotedName('define clause');
    this.#close('define clause');
    const { nodes } = this.nodes(['end']);
    this.#close('end');
    this.#keep(name, nodes);
  }

  #templateCall(block: boolean): Node {
    this.#skipSpace();
    const { at } = this.#peek();
    const name = this.#quotedName('template clause');
    this.#skipSpace();
    const hasPipe = this.#peek().type !== 'close';
    const pipe = hasPipe ? this.#pipe('template clause', 'close') : undefined;
    if (!hasPipe) this.#take();
    if (block) {
      const { nodes } = this.nodes(['end']);
      this.#close('end');
      this.#keep(name, nodes);
    }
    return { type: 'template', name, pipe, at };
  }

  #pipe(context: string, end: 'close' | ')'): Pipe {
    this.#skipSpace();
    const { at } = this.#peek();
    const { variables, assigns } = this.#declaration(context);
    const commands: (readonly Operand[])[] = [];
    const texts: string[] = [];
    for (;;) {
      const operands: Operand[] = [];
      for (;;) {
        this.#skipSpace();
        const token = this.#peek();
        if (token.type === 'close' || (token.type === 'symbol' && (token.text === ')' || token.text === '|')))
          break;
        operands.push(this.#operand(operands.length === 0 ? context : 'operand'));
        this.#requireOperandEnd();
      }
      const token = this.#take();
      if (operands.length === 0 && token.text === '|') this.#fail(`unexpected "|" in ${context}`, token.at);
      if (operands.length === 0 && commands.length === 0)
        this.#fail(`missing value for ${context}`, token.at);
      // A pipeline may end with a bar.
      if (operands.length === 0)
        return this.#endedPipe(token, end, context, { variables, assigns, commands, texts, at });
      if (commands.length > 0 && ['value', 'dot', 'nil'].includes(operands[0]?.type ?? ''))
        this.#fail(`non executable command in pipeline stage ${commands.length + 1}`, token.at);
      commands.push(operands);
      texts.push(this.#source.slice(operands[0]?.at, token.at).trim().replaceAll(/\s+/g, ' '));
      if (token.text === '|') continue;
      return this.#endedPipe(token, end, context, { variables, assigns, commands, texts, at });
    }
  }

  #endedPipe(token: Token, end: 'close' | ')', context: string, pipe: Omit<Pipe, 'text'>): Pipe {
    if ((end === 'close') !== (token.type === 'close'))
      this.#fail(`unexpected ${describe(token)} in ${context}`, token.at);
    if (!pipe.assigns) this.#variables.push(...pipe.variables);
    return { ...pipe, text: this.#source.slice(pipe.at, token.at).trim() };
  }

  /** After an operand comes a space, or what ends the command. */
  #requireOperandEnd(): void {
    const token = this.#peek();
    if (token.type === 'space' || token.type === 'close' || token.text === ')' || token.text === '|') return;
    this.#fail(`unexpected ${describe(token)} in operand`, token.at);
  }

  #declaration(context: string): { variables: string[]; assigns: boolean } {
    const start = this.#next;
    const variables: string[] = [];
    for (;;) {
      const token = this.#takeNonSpace();
      if (token.type !== 'variable') break;
      variables.push(token.text);
      const symbol = this.#takeNonSpace();
      if (symbol.text === ':=' || symbol.text === '=') return { variables, assigns: symbol.text === '=' };
      if (symbol.text !== ',' || context !== 'range') break;
    }
    this.#next = start;
    return { variables: [], assigns: false };
  }

  #operand(context: string): Operand {
    const token = this.#take();
    const isLiteral = ['dot', 'nil', 'bool', 'number', 'char', 'string'].includes(token.type);
    if (isLiteral && this.#peek().type === 'field')
      this.#fail(`unexpected . after term ${goQuote(token.text)}`);
    const { at } = token;
    switch (token.type) {
      case 'dot':
        return { type: 'dot', at };
      case 'nil':
        return { type: 'nil', at };
      case 'bool':
        return { type: 'value', value: token.text === 'true', at, text: token.text };
      case 'number':
        return { type: 'value', value: this.#number(token), at, text: token.text };
      case 'char':
        return { type: 'value', value: this.#character(token), at, text: token.text };
      case 'string':
        return { type: 'value', value: this.#unquoted(token), at, text: token.text };
      case 'field': {
        const names = [token.text.slice(1), ...this.#chain()];
        return { type: 'field', names, at, text: `.${names.join('.')}` };
      }
      case 'variable': {
        if (!this.#variables.includes(token.text)) this.#fail(`undefined variable "${token.text}"`, at);
        const names = this.#chain();
        return { type: 'variable', name: token.text, names, at, text: [token.text, ...names].join('.') };
      }
      case 'identifier':
        if (!this.#functions.has(token.text)) this.#fail(`function "${token.text}" not defined`, at);
        return this.#function(token.text, at);
      default:
        break;
    }
    if (token.text !== '(') return this.#fail(`unexpected ${describe(token)} in ${context}`, at);
    const pipe = this.#pipe('parenthesized pipeline', ')');
    const names = this.#chain();
    return {
      type: 'pipe',
      pipe,
      names,
      at,
      text: `(${pipe.text})${names.map((name) => `.${name}`).join('')}`,
    };
  }

  #function(name: string, at: number): Operand {
    const names = this.#chain();
    return { type: 'function', name, names, at, text: [name, ...names].join('.') };
  }

  /** Parses `.b.c` that follows without a space. */
  #chain(): string[] {
    const names: string[] = [];
    while (this.#peek().type === 'field') names.push(this.#take().text.slice(1));
    return names;
  }
}

/** Hexadecimal and similar notations are integers; the sign is handled separately from BigInt. */
function numberOf(text: string): bigint | number {
  if (!/^[+-]?(?:0[xXbBoO][\da-fA-F]+|\d+)$/.test(text)) return Number(text);
  const digits = text.replace(/^[+-]/, '');
  const octal = /^0\d+$/.test(digits) ? `0o${digits.slice(1)}` : digits;
  return text.startsWith('-') ? -BigInt(octal) : BigInt(octal);
}

const describe = (token: Token): string =>
  token.type === 'close'
    ? '"}}"'
    : token.type === 'end'
      ? 'EOF'
      : token.type === 'keyword' || token.type === 'dot' || token.type === 'nil'
        ? `<${token.text}>`
        : goQuote(token.text);
