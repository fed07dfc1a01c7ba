/**
 * Reading tokens with the error strategy of the original's parser generator: where one token too many or
 * too few explains the error, it is reported and parsing goes on; otherwise the rule ends, tokens are
 * skipped until one that something around it expects, and errors are quiet until a token has matched again.
 */

import { token, type Token } from './token.ts';
import { describeTokens, ruleEnd, type TokenSet } from './token-sets.ts';

/** Ends the rule that is being read; the message is reported unless errors are quiet. */
export class RecognitionError extends Error {
  readonly token: Token;

  constructor(message: string, at: Token) {
    super(message);
    this.token = at;
  }
}

/** Ends parsing: a bound was exceeded. `message` is reported without a place where there is one. */
export class ParsingStopped extends Error {}

/** How often the parser may recover. */
const recoveriesMax = 30;
/** Tokens skipped by one recovery. */
const skippedTokensMax = 256;
/** Nesting of each rule of the grammar. */
export const ruleDepthMax = 250;

/** Stands in the text for each character that is part of no token. */
export const unreadable = '\u0000';

export type Report = (offset: number, message: string) => void;

export class TokenReader {
  readonly #tokens: readonly Token[];
  readonly #text: string;
  readonly #report: Report;
  /** What may follow each rule that is being read, innermost last. */
  readonly #follows: TokenSet[] = [];
  readonly #depths = new Map<string, number>();
  #at = 0;
  #isQuiet = false;
  #recoveries = 0;
  #lastErrorAt = -1;
  readonly #lastErrorRules = new Set<string>();

  constructor(text: string, tokens: readonly Token[], report: Report) {
    this.#text = text;
    this.#tokens = tokens;
    this.#report = report;
  }

  get current(): Token {
    return this.#tokens[this.#at]!;
  }

  /** The token `ahead` of the current one, which is 0; the last one is the end of the file. */
  peek(ahead: number): Token {
    return this.#tokens[Math.min(this.#at + ahead, this.#tokens.length - 1)]!;
  }

  is(type: number): boolean {
    return this.current.type === type;
  }

  enter(rule: string): void {
    const depth = (this.#depths.get(rule) ?? 0) + 1;
    this.#depths.set(rule, depth);
    if (depth > ruleDepthMax)
      throw new ParsingStopped(`expression recursion limit exceeded: ${ruleDepthMax}`);
  }

  leave(rule: string, times = 1): void {
    this.#depths.set(rule, (this.#depths.get(rule) ?? times) - times);
  }

  /** Reads a rule of the grammar; `follow` is what the calling rule expects after it. */
  rule<Result>(name: string, follow: TokenSet, read: () => Result, onError: () => Result): Result {
    this.#follows.push(follow);
    this.enter(name);
    const { length } = this.#follows;
    try {
      return read();
    } catch (error) {
      if (!(error instanceof RecognitionError)) throw error;
      this.#follows.length = length;
      this.#reportOnce(error.token, error.message);
      this.#recover(name);
      return onError();
    } finally {
      this.leave(name);
      this.#follows.pop();
    }
  }

  /** Takes a token of that type; one too many or a missing one is reported and made good. */
  match(type: number, next: TokenSet): Token {
    const { current } = this;
    if (current.type === type) {
      this.#endError();
      this.#advance();
      return current;
    }
    this.#countRecovery();
    const expected = new Set([type]);
    if (this.#deletes(expected)) {
      const matched = this.current;
      this.#advance();
      return matched;
    }
    if (this.#inContext(next).has(current.type)) {
      this.#reportOnce(current, `missing ${describeTokens(expected)} at ${quote(current.text)}`);
      return { type, text: '', offset: current.offset };
    }
    throw this.mismatch(expected);
  }

  /** Before a decision: what comes must be something that is expected there. */
  sync(expected: TokenSet): void {
    if (this.#isQuiet || expected.has(ruleEnd) || expected.has(this.current.type)) return;
    if (!this.#deletes(this.#inContext(expected))) throw this.mismatch(expected);
  }

  /** At the end of a loop that has run: what comes must go on with it or follow it. */
  syncLoop(expected: TokenSet): void {
    if (this.#isQuiet || expected.has(this.current.type)) return;
    this.#reportUnwanted(this.#inContext(expected));
    const stops = new Set([...expected, ...this.#follows.flatMap((follow) => [...follow])]);
    while (!this.is(token.endOfFile) && !stops.has(this.current.type)) this.#advance();
  }

  mismatch(expected: TokenSet): RecognitionError {
    const { current } = this;
    const list = describeTokens(this.#inContext(expected));
    return new RecognitionError(`mismatched input ${quote(current.text)} expecting ${list}`, current);
  }

  /** @param ahead of the token at which no alternative is left */
  noViableAlternative(ahead: number): RecognitionError {
    const { current } = this;
    const offending = this.peek(ahead);
    const end = offending.offset + (offending.type === token.endOfFile ? 0 : offending.text.length);
    const input =
      current.type === token.endOfFile
        ? '<EOF>'
        : this.#text.slice(current.offset, end).replaceAll(unreadable, '');
    const reserved = /^.(true|false|null)$/.exec(input)?.[1];
    const message =
      reserved === undefined
        ? `no viable alternative at input ${quote(input)}`
        : `mismatched input '${reserved}' expecting IDENTIFIER`;
    return new RecognitionError(message, offending);
  }

  #advance(): void {
    if (this.#at < this.#tokens.length - 1) this.#at++;
  }

  /** Skips a token that stands before an expected one. */
  #deletes(expected: TokenSet): boolean {
    if (!expected.has(this.peek(1).type)) return false;
    this.#reportUnwanted(expected);
    this.#advance();
    this.#endError();
    return true;
  }

  #reportUnwanted(expected: TokenSet): void {
    const message = `extraneous input ${quote(this.current.text)} expecting ${describeTokens(expected)}`;
    this.#reportOnce(this.current, message);
  }

  /** The set with what follows outside where the rule may end. */
  #inContext(expected: TokenSet): TokenSet {
    const result = new Set(expected);
    for (let level = this.#follows.length - 1; level >= 0 && result.has(ruleEnd); level--) {
      result.delete(ruleEnd);
      for (const type of this.#follows[level]!) result.add(type);
    }
    if (result.delete(ruleEnd)) result.add(token.endOfFile);
    return result;
  }

  #reportOnce(at: Token, message: string): void {
    if (this.#isQuiet) return;
    this.#isQuiet = true;
    this.#report(at.offset, message);
  }

  #countRecovery(): void {
    if (this.#recoveries++ < recoveriesMax) return;
    this.#report(this.current.offset, `error recovery attempt limit exceeded: ${recoveriesMax}`);
    throw new ParsingStopped('');
  }

  #endError(): void {
    this.#isQuiet = false;
    this.#lastErrorAt = -1;
    this.#lastErrorRules.clear();
  }

  #recover(rule: string): void {
    this.#countRecovery();
    let skipped = 0;
    const skip = (): void => {
      if (skipped++ >= skippedTokensMax)
        throw new ParsingStopped(`error recovery token lookahead limit exceeded: ${skippedTokensMax}`);
      this.#advance();
    };
    // The same rule failing again at the same place would go on forever.
    if (this.#lastErrorAt === this.#at && this.#lastErrorRules.has(rule)) skip();
    this.#lastErrorRules.add(rule);
    this.#lastErrorAt = this.#at;
    const stops = new Set(this.#follows.flatMap((follow) => [...follow]));
    stops.delete(ruleEnd);
    while (!this.is(token.endOfFile) && !stops.has(this.current.type)) skip();
  }
}

const quote = (text: string): string =>
  `'${text.replaceAll('\t', '\\t').replaceAll('\n', '\\n').replaceAll('\r', '\\r')}'`;
