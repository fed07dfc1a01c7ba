/** Reads kubectl's dialect of JSONPath: text with expressions in braces. */

export type JsonPathNode =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'list'; readonly nodes: JsonPathNode[] }
  | { readonly type: 'field'; readonly name: string }
  | {
      readonly type: 'array';
      readonly from: number | undefined;
      readonly to: number | undefined;
      readonly toDerived: boolean;
      readonly step: number | undefined;
    }
  | {
      readonly type: 'filter';
      readonly left: JsonPathNode;
      readonly right: JsonPathNode;
      readonly operator: string;
    }
  | { readonly type: 'value'; readonly value: number | boolean }
  | { readonly type: 'wildcard' }
  | { readonly type: 'recursive' }
  | { readonly type: 'union'; readonly nodes: JsonPathNode[] }
  | { readonly type: 'identifier'; readonly name: string };

interface ListNode {
  readonly type: 'list';
  readonly nodes: JsonPathNode[];
}

/** @throws Error with the text of client-go's jsonpath */
export function parseJsonPath(text: string): ListNode {
  const parser = new Parser(text);
  parser.parseText();
  return parser.root;
}

/** An expression without its braces. */
function parseExpression(text: string): ListNode {
  const [first] = parseJsonPath(`{${text}}`).nodes;
  return first as ListNode;
}

class Parser {
  readonly root: ListNode = { type: 'list', nodes: [] };
  readonly #input: string;
  #at = 0;
  #start = 0;

  constructor(input: string) {
    this.#input = input;
  }

  #next(): string {
    const character = this.#input[this.#at] ?? '';
    this.#at++;
    return character;
  }

  #take(): string {
    const text = this.#input.slice(this.#start, this.#at);
    this.#start = this.#at;
    return text;
  }

  #startsWith(prefix: string): boolean {
    return this.#input.startsWith(prefix, this.#at);
  }

  parseText(): void {
    const brace = this.#input.indexOf('{', this.#at);
    this.#at = brace < 0 ? this.#input.length : brace;
    if (this.#at > this.#start) this.root.nodes.push({ type: 'text', text: this.#take() });
    if (brace < 0) return;
    this.#at++;
    this.#take();
    const list: ListNode = { type: 'list', nodes: [] };
    this.root.nodes.push(list);
    this.#parseAction(list);
  }

  #parseAction(list: ListNode): void {
    for (;;) {
      if (this.#startsWith('}')) {
        this.#at++;
        this.#take();
        return this.parseText();
      }
      if (this.#startsWith('[?(')) this.#parseFilter(list);
      else if (this.#startsWith('..')) this.#parseRecursive(list);
      else this.#parseOne(list);
    }
  }

  #parseOne(list: ListNode): void {
    const character = this.#next();
    if (character === '' || character === '\n' || character === '\r') throw new Error('unclosed action');
    if (character === ' ' || character === '@' || character === '$') this.#take();
    else if (character === '[') this.#parseArray(list);
    else if (character === '"' || character === "'") this.#parseQuote(list, character);
    else if (character === '.') this.#parseField(list);
    else if (/[-+\d]/.test(character)) this.#parseNumber(list);
    else if (/[_\p{L}\p{N}]/u.test(character)) this.#parseIdentifier(list);
    else {
      const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
      throw new Error(`unrecognized character in action: U+${code} '${character}'`);
    }
  }

  #parseIdentifier(list: ListNode): void {
    while (!isTerminator(this.#input[this.#at])) this.#at++;
    const name = this.#take();
    if (name === 'true' || name === 'false') list.nodes.push({ type: 'value', value: name === 'true' });
    else list.nodes.push({ type: 'identifier', name });
  }

  #parseRecursive(list: ListNode): void {
    if (list.nodes.at(-1)?.type === 'recursive') throw new Error('invalid multiple recursive descent');
    this.#at += 2;
    this.#take();
    list.nodes.push({ type: 'recursive' });
    if (/[_\p{L}\p{N}]/u.test(this.#input[this.#at] ?? '')) this.#parseField(list);
  }

  #parseNumber(list: ListNode): void {
    while (/[.\d]/.test(this.#input[this.#at] ?? '')) this.#at++;
    const text = this.#take();
    if (!/^[-+]?(\d+\.?\d*|\.\d+)$/.test(text)) throw new Error(`cannot parse number ${text}`);
    list.nodes.push({ type: 'value', value: Number(text) });
  }

  #parseArray(list: ListNode): void {
    for (let character = this.#next(); character !== ']'; character = this.#next()) {
      if (character === '' || character === '\n') throw new Error('unterminated array');
    }
    const inside = this.#take().slice(1, -1);
    const text = inside === '*' ? ':' : inside;
    const parts = text.split(',');
    if (parts.length > 1) {
      list.nodes.push({
        type: 'union',
        nodes: parts.map((part) => parseExpression(`[${part.replace(/^ +| +$/g, '')}]`)),
      });
      return;
    }
    const key = /^'([^']*)'$/.exec(text);
    if (key !== null) list.nodes.push(...parseExpression(`.${key[1]}`).nodes);
    else list.nodes.push(arrayNode(text));
  }

  #parseFilter(list: ListNode): void {
    this.#at += 3;
    this.#take();
    let opened = '';
    let closed = false;
    for (;;) {
      const character = this.#next();
      if (character === '' || character === '\n') throw new Error('unterminated filter');
      if (character === '"' || character === "'") {
        if (opened === '') opened = character;
        else if (this.#input[this.#at - 2] !== '\\' && character === opened) closed = true;
      } else if (character === ')' && (opened !== '') === closed) break;
    }
    if (this.#next() !== ']') throw new Error('unclosed array expect ]');
    const text = this.#take().slice(0, -2);
    const match = /^([^!<>=]+)([!<>=]+)(.+?)$/.exec(text);
    list.nodes.push(
      match === null
        ? {
            type: 'filter',
            left: parseExpression(text),
            right: { type: 'list', nodes: [] },
            operator: 'exists',
          }
        : {
            type: 'filter',
            left: parseExpression(match[1] ?? ''),
            right: parseExpression(match[3] ?? ''),
            operator: match[2] ?? '',
          },
    );
  }

  #parseQuote(list: ListNode, quote: string): void {
    for (;;) {
      const character = this.#next();
      if (character === '' || character === '\n') throw new Error('unterminated quoted string');
      if (character === quote && this.#input[this.#at - 2] !== '\\') break;
    }
    const text = this.#take();
    list.nodes.push({ type: 'text', text: unquote(text) });
  }

  #parseField(list: ListNode): void {
    this.#take();
    while (!isTerminator(this.#input[this.#at])) this.#at += this.#input[this.#at] === '\\' ? 2 : 1;
    this.#at = Math.min(this.#at, this.#input.length);
    const name = this.#take();
    list.nodes.push(name === '*' ? { type: 'wildcard' } : { type: 'field', name: name.replaceAll('\\', '') });
  }
}

const isTerminator = (character: string | undefined): boolean =>
  character === undefined || /[\s.,[\]$@{}]/.test(character);

function arrayNode(text: string): JsonPathNode {
  const match = /^(-?\d*)(:-?\d*)?(:-?\d*)?$/.exec(text);
  if (match === null || text === '') throw new Error(`invalid array index ${text}`);
  const number = (part: string | undefined) => {
    const digits = part?.replace(/^:/, '') ?? '';
    if (digits === '') return undefined;
    if (digits === '-') throw new Error(`array index ${digits} is not a number`);
    return Number(digits);
  };
  const from = number(match[1]);
  const single = match[2] === undefined;
  return {
    type: 'array',
    from,
    to: single ? (from ?? 0) + 1 : number(match[2]),
    toDerived: single,
    step: number(match[3]),
  };
}

const escapes: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  a: '\u0007',
  b: '\b',
  f: '\f',
  v: '\v',
};

function unquote(text: string): string {
  return text
    .slice(1, -1)
    .replace(/\\(u[\da-fA-F]{4}|x[\da-fA-F]{2}|U[\da-fA-F]{8}|[0-7]{3}|.)/gs, (_all, code: string) => {
      if (/^[uUx]./.test(code)) return String.fromCodePoint(Number.parseInt(code.slice(1), 16));
      if (/^[0-7]{3}$/.test(code)) return String.fromCodePoint(Number.parseInt(code, 8));
      return escapes[code] ?? code;
    });
}
