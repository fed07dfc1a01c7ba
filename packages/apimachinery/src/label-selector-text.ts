/** Label selectors as text: `app=web,tier in (a,b),!old,size>3` (the `labelSelector` parameter, kubectl's `-l`). */

import { compareText } from './compare-text.ts';
import { fieldErrorText } from './field-error.ts';
import {
  byKey,
  labelKeyErrors,
  labelSelectorOf,
  labelSelectorOfSorted,
  requirement,
  type LabelSelector,
  type LabelSelectorSpec,
  type Requirement,
  type SelectorOperator,
} from './label-selector.ts';
import { messageOf } from './message-of.ts';
import { checkLabelValue } from './names.ts';
import { atOnce, partsPerStep, sortedInSteps, type Steps } from './work-in-steps.ts';

/**
 * Parses a selector. Results are cached, since the same few selectors recur.
 * @throws Error with upstream's message: `unable to parse requirement: found …, expected: …`
 */
export function parseLabelSelector(text: string): LabelSelector {
  const known = parsed.get(text);
  if (known !== undefined) return known;
  const selector = labelSelectorOf(atOnce(new Parser(text).read()));
  if (text.length <= parsedTextLengthMax) {
    if (parsed.size >= parsedCacheSizeMax) parsed.clear();
    parsed.set(text, selector);
  }
  return selector;
}

/**
 * Parses a long selector: one of a megabyte takes hundreds of milliseconds, but each step only tens of microseconds.
 * @throws Error as {@link parseLabelSelector}
 */
export function* labelSelectorInSteps(text: string): Steps<LabelSelector> {
  const requirements = yield* new Parser(text).read();
  return labelSelectorOfSorted(yield* sortedInSteps(requirements, byKey));
}

/** Converts the text to a spec. @throws Error as {@link parseLabelSelector}, or for `>` and `<` */
export function labelSelectorSpecFromText(text: string): LabelSelectorSpec {
  let requirements: readonly Requirement[];
  try {
    requirements = atOnce(new Parser(text).read());
  } catch (error) {
    throw new Error(`couldn't parse the selector string "${text}": ${messageOf(error)}`, {
      cause: error,
    });
  }
  const spec = {
    matchLabels: {} as Record<string, string>,
    matchExpressions: [] as { key: string; operator: string; values?: string[] }[],
  };
  for (const { key, operator, values } of requirements) {
    if (operator === '=' || operator === '==') spec.matchLabels[key] = values[0]!;
    else if (operator === 'gt' || operator === 'lt')
      throw new Error(`"${operator}" isn't supported in label selectors`);
    else if (operator === '!=') throw new Error('"!=" is not a valid label selector operator');
    else spec.matchExpressions.push({ key, operator: specNames[operator], values: [...values] });
  }
  return spec;
}

const parsedCacheSizeMax = 1024;
const parsedTextLengthMax = 512;
const parsed = new Map<string, LabelSelector>();

const specNames = { in: 'In', notin: 'NotIn', exists: 'Exists', '!': 'DoesNotExist' } as const;

type TokenKind =
  | 'end'
  | 'identifier'
  | 'error'
  | ')'
  | ','
  | '!'
  | '=='
  | '='
  | '>'
  | 'in'
  | '<'
  | '!='
  | 'notin'
  | '(';

interface Token {
  readonly kind: TokenKind;
  readonly text: string;
}

const literals: ReadonlySet<string> = new Set([')', ',', '!', '==', '=', '>', 'in', '<', '!=', 'notin', '(']);
const literalTokens: ReadonlyMap<string, Token> = new Map(
  Array.from(literals, (text) => [text, { kind: text as TokenKind, text }]),
);
const binaryOperators = ['in', 'notin', '=', '==', '!=', 'gt', 'lt'];
const operatorOf: Readonly<Partial<Record<TokenKind, SelectorOperator>>> = {
  in: 'in',
  notin: 'notin',
  '=': '=',
  '==': '==',
  '!=': '!=',
  '>': 'gt',
  '<': 'lt',
};

/** The kinds of characters below 128, by code. All others belong to words. */
const [inWord, space, symbol, endOfText] = [0, 1, 2, 3] as const;
const characterKinds = new Uint8Array(128);
for (const character of ' \t\r\n') characterKinds[character.charCodeAt(0)] = space;
for (const character of '=!(),><') characterKinds[character.charCodeAt(0)] = symbol;
characterKinds[0] = endOfText;

const kindAt = (text: string, at: number): number => characterKinds[text.charCodeAt(at)] ?? inWord;

/** Reads words and runs of symbols; the longest known operator at the start of a run counts. */
class Tokens {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  next(): Token {
    const text = this.#text;
    while (kindAt(text, this.#at) === space) this.#at++;
    const start = this.#at;
    if (start >= text.length) return endToken;
    const kind = kindAt(text, start);
    if (kind === endOfText) return endToken;
    if (kind === symbol) {
      const { token, length } = readSymbol(text, start);
      this.#at += length;
      return token;
    }
    let end = start;
    while (end < text.length && kindAt(text, end) === inWord) end++;
    this.#at = end;
    const word = text.slice(start, end);
    return { kind: literals.has(word) ? (word as TokenKind) : 'identifier', text: word };
  }
}

const endToken: Token = { kind: 'end', text: '' };

function readSymbol(text: string, start: number): { token: Token; length: number } {
  let found = '';
  let end = start;
  for (; end < text.length && kindAt(text, end) === symbol; end++) {
    const candidate = text.slice(start, end + 1);
    if (literals.has(candidate)) found = candidate;
    else if (found !== '') break;
  }
  if (found !== '') return { token: literalTokens.get(found)!, length: end - start };
  const unknown = text.slice(start, end);
  return {
    token: { kind: 'error', text: `error expected: keyword found '${unknown}'` },
    length: end - start,
  };
}

class Parser {
  readonly #tokens: Tokens;
  #next: Token;
  /** The number of keys and values so far. */
  #read = 0;
  /** Whether a value of a set is invalid. They are checked as they are read, since a set may have very many. */
  #isWrong = false;

  constructor(text: string) {
    this.#tokens = new Tokens(text);
    this.#next = this.#tokens.next();
  }

  *read(): Steps<Requirement[]> {
    const requirements: Requirement[] = [];
    for (;;) {
      const { kind, text } = this.#peek();
      if (kind === 'end') return requirements;
      if (kind !== 'identifier' && kind !== '!') {
        throw new Error(`found '${text}', expected: !, identifier, or 'end of string'`);
      }
      requirements.push(yield* this.#requirement());
      const next = this.#take();
      if (next.kind === 'end') return requirements;
      if (next.kind !== ',') throw new Error(`found '${next.text}', expected: ',' or 'end of string'`);
      const after = this.#peek();
      if (after.kind !== 'identifier' && after.kind !== '!') {
        throw new Error(`found '${after.text}', expected: identifier after ','`);
      }
    }
  }

  *#requirement(): Steps<Requirement> {
    try {
      return yield* this.#readRequirement();
    } catch (error) {
      throw new Error(`unable to parse requirement: ${messageOf(error)}`, { cause: error });
    }
  }

  *#readRequirement(): Steps<Requirement> {
    const negated = this.#peek().kind === '!';
    if (negated) this.#take();
    const { kind, text: key } = this.#take();
    if (kind !== 'identifier') throw new Error(`found '${key}', expected: identifier`);
    const [keyError] = labelKeyErrors(key);
    if (keyError !== undefined) throw new Error(fieldErrorText(keyError));
    if (++this.#read % partsPerStep === 0) yield;
    const next = this.#peek().kind;
    if (negated) return requirement(key, '!', []);
    if (next === 'end' || next === ',') return requirement(key, 'exists', []);
    const operator = this.#operator();
    if (operator !== 'in' && operator !== 'notin') return requirement(key, operator, [this.#exactValue()]);
    const values = yield* this.#valueSet();
    return this.#isWrong ? requirement(key, operator, values) : { key, operator, values };
  }

  #operator(): SelectorOperator {
    const { kind, text } = this.#take('operator');
    const operator = operatorOf[kind];
    if (operator === undefined) throw new Error(`found '${text}', expected: ${binaryOperators.join(', ')}`);
    return operator;
  }

  #exactValue(): string {
    const { kind } = this.#peek();
    if (kind === 'end' || kind === ',') return '';
    const { kind: taken, text } = this.#take();
    if (taken !== 'identifier') throw new Error(`found '${text}', expected: identifier`);
    return text;
  }

  *#valueSet(): Steps<readonly string[]> {
    const open = this.#take();
    if (open.kind !== '(') throw new Error(`found '${open.text}' expected: '('`);
    const first = this.#peek();
    if (first.kind === ')') {
      this.#take();
      return [''];
    }
    if (first.kind !== 'identifier' && first.kind !== ',') {
      throw new Error(`found '${first.text}', expected: ',', ')' or identifier`);
    }
    const values = yield* this.#identifiers();
    this.#take();
    return yield* sortedInSteps([...values], compareText);
  }

  /** Up to but without the closing parenthesis. Nothing between two commas is the empty value. */
  *#identifiers(): Steps<Set<string>> {
    const values = new Set<string>();
    for (;;) {
      const { kind, text } = this.#take();
      const next = this.#peek();
      if (++this.#read % partsPerStep === 0) yield;
      if (kind === 'identifier') {
        values.add(text);
        this.#isWrong ||= checkLabelValue(text).length > 0;
        if (next.kind === ')') return values;
        if (next.kind !== ',') throw new Error(`found '${next.text}', expected: ',' or ')'`);
      } else if (kind === ',') {
        if (values.size === 0 || next.kind === ')' || next.kind === ',') values.add('');
        if (next.kind === ')') return values;
      } else {
        throw new Error(`found '${text}', expected: ',', or identifier`);
      }
    }
  }

  #peek(): Token {
    return asValue(this.#next);
  }

  /** `in` and `notin` are ordinary words where no operator is expected. */
  #take(expecting: 'value' | 'operator' = 'value'): Token {
    const token = this.#next;
    this.#next = this.#tokens.next();
    return expecting === 'operator' ? token : asValue(token);
  }
}

const asValue = (token: Token): Token =>
  token.kind === 'in' || token.kind === 'notin' ? { kind: 'identifier', text: token.text } : token;
