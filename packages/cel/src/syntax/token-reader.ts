/**
 * Reads tokens with the error strategy of upstream's parser generator: if a superfluous or a missing token explains the
 * error, it is reported and parsing continues; otherwise the rule ends, tokens are skipped up to one that an enclosing
 * rule expects, and further errors are suppressed until a token has matched again.
 */

import { token, type Token } from './token.ts';
import { describeTokens, ruleEnd, type TokenSet } from './token-sets.ts';

/** Ends the current rule; the message is reported unless errors are suppressed. */
export class RecognitionError extends Error {
  readonly token: Token;

  constructor(message: string, at: Token) {
    super(message);
    this.token = at;
  }
}

/** Ends parsing: a limit was exceeded. `message`, if there is one, is reported without a position. */
export class ParsingStopped extends Error {}

/** The maximum number of recoveries. */
const recoveriesMax = 30;
/** The maximum number of tokens skipped by one recovery. */
const skippedTokensMax = 256;
/** The maximum nesting of each grammar rule. */
export const ruleDepthMax = 250;

/** Replaces each character in the text that is part of no token. */
export const unreadable = '\u0000';

export type Report = (offset: number, message: string) => void;

export class TokenReader {
  readonly #tokens: readonly Token[];
  readonly #text: string;
  readonly #report: Report;
  /** What may follow each current rule, innermost last. */
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

  /** The token at distance `ahead` from the current one; beyond the end, the end-of-file token. */
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

  leave(rule: string): void {
    this.#depths.set(rule, (this.#depths.get(rule) ?? 1) - 1);
  }

  /** Parses a rule of the grammar; `follow` is what the calling rule expects after it. */
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

  /** Consumes a token of that type; a superfluous or missing one is reported and corrected. */
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

  /** Before a decision: the next token must be expected there. */
  sync(expected: TokenSet): void {
    if (this.#isQuiet || expected.has(ruleEnd) || expected.has(this.current.type)) return;
    if (!this.#deletes(this.#inContext(expected))) throw this.mismatch(expected);
  }

  /** At the end of a loop iteration: the next token must continue the loop or follow it. */
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

  /** @param ahead the distance of the token at which no alternative is left */
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

  /** Skips a token that precedes an expected one. */
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

  /** The set with what may follow the enclosing rules, if the rule may end. */
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
    // The same rule failing again at the same position would loop forever.
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
