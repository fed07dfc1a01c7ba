/**
 * Parses text to an expression: one method per rule of the grammar (CEL.g4). The message of a syntax error depends on
 * where upstream's parser decides and where it checks the next token, so the rules follow it.
 */

import type { Expression, FieldEntry, MapEntry } from './expression.ts';
import {
  countedOperators,
  expressionDepthMax,
  follow,
  identifierOrEscaped,
  nothing,
  operators,
  reserved,
} from './grammar.ts';
import { isTooLong } from './issue.ts';
import { tokenize, type LexerError } from './lexer.ts';
import { literalOf } from './literal.ts';
import { balance } from './logic.ts';
import { expandMacro, type Macro } from './macro.ts';
import { ParseContext } from './parse-context.ts';
import type { Source } from './source.ts';
import { ParsingStopped, RecognitionError, TokenReader, ruleDepthMax, unreadable } from './token-reader.ts';
import {
  products,
  relations,
  startOfExpression,
  startOfMember,
  startOfOptionalExpression,
  sums,
  tokens,
  union,
} from './token-sets.ts';
import { token, type Token } from './token.ts';

/** In code points. */
export const expressionSizeMax = 100_000;

export interface ParserOptions {
  /** By `name:arguments:isReceiver`. */
  readonly macros: ReadonlyMap<string, Macro>;
  /** `.?field`, `[?index]` and `?` in front of elements and entries. */
  readonly optionalSyntax: boolean;
  /** Identifiers in backquotes. */
  readonly escapedIdentifiers: boolean;
}

export interface ParseResult {
  readonly expression: Expression;
  readonly context: ParseContext;
}

export function parse(source: Source, options: ParserOptions): ParseResult {
  const context = new ParseContext(source);
  if (isTooLong(source.text, expressionSizeMax)) {
    const size = [...source.text].length;
    const message = `expression code point size exceeds limit: size: ${size}, limit ${expressionSizeMax}`;
    context.reportWithoutPlace(message);
    return { expression: { kind: 'unspecified', id: context.newId(0) }, context };
  }
  const expression = new Parser(context, options).parse();
  return { expression, context };
}

class Parser {
  readonly #context: ParseContext;
  readonly #options: ParserOptions;
  readonly #reader: TokenReader;
  /** By the expression's id. */
  readonly #depths: number[] = [];

  constructor(context: ParseContext, options: ParserOptions) {
    this.#context = context;
    this.#options = options;
    const { tokens: found, errors } = tokenize(context.source.text);
    const report = (offset: number, message: string): void =>
      context.report(offset, `Syntax error: ${message}`);
    for (const error of errors) report(error.offset, `token recognition error at: '${error.text}'`);
    this.#reader = new TokenReader(withoutErrors(context.source.text, errors), found, report);
  }

  parse(): Expression {
    try {
      return this.#rule('start', tokens(token.endOfFile), () => {
        const expression = this.#expression(follow.start);
        this.#reader.match(token.endOfFile, tokens(token.endOfFile));
        return expression;
      });
    } catch (error) {
      const message = messageOfStop(error);
      if (message === undefined) throw error;
      if (message !== '') this.#context.reportWithoutPlace(message);
      return this.#unspecified();
    }
  }

  #rule(name: string, after: ReadonlySet<number>, read: () => Expression): Expression {
    this.#context.countStep();
    return this.#reader.rule(name, after, read, () => this.#unspecified());
  }

  #unspecified(): Expression {
    return { kind: 'unspecified', id: this.#context.newId(this.#reader.current.offset) };
  }

  #expression(after: ReadonlySet<number>): Expression {
    return this.#rule('expr', after, () => {
      const condition = this.#or(follow.condition);
      if (!this.#reader.is(token.question)) return condition;
      const id = this.#id(this.#reader.match(token.question, nothing));
      const whenTrue = this.#or(follow.colon);
      this.#reader.match(token.colon, startOfExpression);
      const whenFalse = this.#expression(follow.end);
      return this.#call(id, '_?_:_', undefined, [condition, whenTrue, whenFalse]);
    });
  }

  #or(after: ReadonlySet<number>): Expression {
    return this.#chain('conditionalOr', after, token.or, '_||_', () => this.#and());
  }

  #and(): Expression {
    return this.#chain('conditionalAnd', follow.or, token.and, '_&&_', () => this.#relation(0, follow.and));
  }

  #chain(
    name: string,
    after: ReadonlySet<number>,
    operator: number,
    functionName: string,
    readTerm: () => Expression,
  ): Expression {
    return this.#rule(name, after, () => {
      const terms = [readTerm()];
      const ids: number[] = [];
      while (this.#reader.is(operator)) {
        const operatorToken = this.#reader.match(operator, nothing);
        terms.push(readTerm());
        ids.push(this.#id(operatorToken));
      }
      return ids.length === 0 ? terms[0]! : this.#nesting(0, balance(functionName, terms, ids), terms);
    });
  }

  /** @param least 0, or 1 for the right side of a relation, which ends at the next relation */
  #relation(least: number, after: ReadonlySet<number>): Expression {
    return this.#binary(
      'relation',
      after,
      () => this.#calculation(0, follow.relation),
      (type) => (least === 0 && relations.has(type) ? () => this.#relation(1, follow.relation) : undefined),
    );
  }

  /** @param least 0 for sums, 1 for products only, 2 for a single term */
  #calculation(least: number, after: ReadonlySet<number>): Expression {
    return this.#binary(
      'calc',
      after,
      () => this.#unary(),
      (type) => {
        if (least <= 1 && products.has(type)) return () => this.#calculation(2, follow.calculation);
        if (least === 0 && sums.has(type)) return () => this.#calculation(1, follow.calculation);
        return undefined;
      },
    );
  }

  /** Left-associative operators; `right` returns the reader of the right side if the operator binds here. */
  #binary(
    name: string,
    after: ReadonlySet<number>,
    readLeft: () => Expression,
    right: (type: number) => (() => Expression) | undefined,
  ): Expression {
    return this.#rule(name, after, () => {
      let left = readLeft();
      for (let read = right(this.#reader.current.type); read; read = right(this.#reader.current.type)) {
        const operator = this.#reader.match(this.#reader.current.type, nothing);
        const id = this.#id(operator);
        left = this.#call(id, operators.get(operator.type)!, undefined, [left, read()]);
      }
      return left;
    });
  }

  #unary(): Expression {
    return this.#rule('unary', follow.calculation, () => {
      this.#reader.sync(startOfExpression);
      const { type } = this.#reader.current;
      if (type === token.exclamation) return this.#prefixed(token.exclamation, '!_');
      if (type !== token.minus) return this.#member();
      const next = this.#reader.peek(1).type;
      if (next === token.int || next === token.float) return this.#member();
      if (!startOfMember.has(next)) throw this.#reader.noViableAlternative(1);
      return this.#prefixed(token.minus, '-_');
    });
  }

  /** An even number of the same operator cancels out. */
  #prefixed(type: number, functionName: string): Expression {
    const first = this.#reader.match(type, nothing);
    let count = 1;
    this.#reader.syncLoop(type === token.exclamation ? startOfExpression : startOfMember);
    while (this.#reader.is(type)) {
      const isFollowed = type === token.exclamation || startOfMember.has(this.#reader.peek(1).type);
      if (!isFollowed) throw this.#reader.noViableAlternative(1);
      this.#reader.match(type, nothing);
      count++;
      this.#reader.syncLoop(type === token.exclamation ? startOfExpression : startOfMember);
    }
    if (count % 2 === 0) return this.#member();
    const id = this.#id(first);
    return this.#call(id, functionName, undefined, [this.#member()]);
  }

  #member(): Expression {
    let operand: Expression | undefined;
    const read = (): Expression => {
      operand = this.#primary();
      while (this.#reader.is(token.dot) || this.#reader.is(token.leftBracket)) {
        const keep = (begun: Expression): void => void (operand = begun);
        operand = this.#reader.is(token.dot) ? this.#selectOrCall(operand, keep) : this.#index(operand);
      }
      return operand;
    };
    return this.#reader.rule('member', follow.end, read, () => operand ?? this.#unspecified());
  }

  #selectOrCall(operand: Expression, keep: (begun: Expression) => void): Expression {
    const name = this.#reader.peek(1);
    const isCall = name.type === token.identifier && this.#reader.peek(2).type === token.leftParenthesis;
    if (isCall) return this.#memberCall(operand, keep);
    if (name.type !== token.question && !identifierOrEscaped.has(name.type)) {
      throw this.#reader.noViableAlternative(1);
    }
    const dot = this.#reader.match(token.dot, nothing);
    const isOptional = this.#takeQuestion(dot, "unsupported syntax '.?'");
    const fieldToken = this.#fieldName(follow.member);
    const field = this.#unescapeField(fieldToken);
    if (!isOptional) {
      return this.#nesting(1, { kind: 'select', id: this.#id(dot), operand, field, isTest: false }, [
        operand,
      ]);
    }
    const id = this.#id(dot);
    return this.#call(id, '_?._', undefined, [operand, this.#context.literal(fieldToken.offset, field)]);
  }

  #memberCall(operand: Expression, keep: (begun: Expression) => void): Expression {
    this.#reader.match(token.dot, nothing);
    const name = this.#reader.match(token.identifier, nothing);
    const id = this.#id(this.#reader.match(token.leftParenthesis, nothing));
    return this.#callWith(id, name.text, operand, keep);
  }

  #index(operand: Expression): Expression {
    const bracket = this.#reader.match(token.leftBracket, nothing);
    const id = this.#id(bracket);
    this.#reader.sync(startOfOptionalExpression);
    const isOptional = this.#takeQuestion(bracket, "unsupported syntax '[?'");
    const index = this.#expression(follow.rightBracket);
    this.#reader.match(token.rightBracket, follow.member);
    return this.#call(id, isOptional ? '_[?_]' : '_[_]', undefined, [operand, index]);
  }

  #primary(): Expression {
    let partial: Expression | undefined;
    const read = (): Expression => {
      this.#reader.sync(startOfMember);
      const { current } = this.#reader;
      const keep = (begun: Expression): void => void (partial = begun);
      if (current.type === token.dot) {
        if (this.#reader.peek(1).type !== token.identifier) throw this.#reader.noViableAlternative(1);
        return this.#named(1, keep);
      }
      if (current.type === token.identifier) return this.#named(0, keep);
      if (current.type === token.leftParenthesis) return this.#nested();
      if (current.type === token.leftBracket) return this.#list(keep);
      if (current.type === token.leftBrace) return this.#map(keep);
      return this.#literal();
    };
    return this.#reader.rule('primary', follow.member, read, () => partial ?? this.#unspecified());
  }

  /** @param dots 1 where the name starts with a dot */
  #named(dots: number, keep: (begun: Expression) => void): Expression {
    let end = dots + 1;
    if (this.#reader.peek(end).type === token.leftParenthesis) return this.#globalCall(keep);
    while (this.#reader.peek(end).type === token.dot && this.#reader.peek(end + 1).type === token.identifier)
      end += 2;
    if (this.#reader.peek(end).type === token.leftBrace) return this.#struct(end);
    const first = this.#reader.current;
    const prefix = this.#takeDot();
    const name = this.#reader.match(token.identifier, nothing);
    if (reserved.has(name.text))
      return this.#context.reportAt(first.offset, `reserved identifier: ${name.text}`);
    return { kind: 'identifier', id: this.#id(name), name: prefix + name.text };
  }

  #globalCall(keep: (begun: Expression) => void): Expression {
    const first = this.#reader.current;
    const prefix = this.#takeDot();
    const name = this.#reader.match(token.identifier, nothing);
    const parenthesis = this.#reader.match(token.leftParenthesis, nothing);
    if (reserved.has(name.text)) {
      this.#arguments([]);
      return this.#context.reportAt(first.offset, `reserved identifier: ${name.text}`);
    }
    const id = this.#id(parenthesis);
    return this.#callWith(id, prefix + name.text, undefined, keep);
  }

  #takeDot(): string {
    return this.#reader.is(token.dot) ? this.#reader.match(token.dot, nothing) && '.' : '';
  }

  #nested(): Expression {
    this.#reader.match(token.leftParenthesis, nothing);
    const expression = this.#expression(follow.rightParenthesis);
    this.#reader.match(token.rightParenthesis, follow.end);
    return expression;
  }

  /** A call whose arguments can't be fully parsed is still a call: a macro sees what there is. */
  #callWith(
    id: number,
    name: string,
    target: Expression | undefined,
    keep: (begun: Expression) => void,
  ): Expression {
    const args: Expression[] = [];
    try {
      this.#arguments(args);
    } catch (error) {
      if (error instanceof RecognitionError) keep(this.#call(id, name, target, args));
      throw error;
    }
    return this.#call(id, name, target, args);
  }

  #arguments(result: Expression[]): void {
    this.#reader.sync(union(startOfExpression, follow.rightParenthesis));
    if (startOfExpression.has(this.#reader.current.type)) {
      this.#rule('exprList', follow.rightParenthesis, () => {
        result.push(this.#expression(follow.comma));
        while (this.#reader.is(token.comma)) {
          this.#reader.match(token.comma, nothing);
          result.push(this.#expression(follow.comma));
        }
        return result[0]!;
      });
    }
    this.#reader.match(token.rightParenthesis, follow.end);
  }

  /** @param keep receives a placeholder for a list that can't be fully parsed */
  #list(keep: (begun: Expression) => void): Expression {
    const id = this.#id(this.#reader.match(token.leftBracket, nothing));
    const elements: Expression[] = [];
    const optionals = new Set<number>();
    keep({ kind: 'list', id, elements, optionals });
    this.#reader.sync(union(startOfOptionalExpression, follow.list));
    if (startOfOptionalExpression.has(this.#reader.current.type)) {
      this.#commaSeparated('listInit', follow.list, () => {
        const isOptional = this.#optionalExpression(follow.comma, elements);
        if (isOptional) optionals.add(elements.length - 1);
      });
    }
    this.#closing(token.rightBracket, follow.list);
    return this.#nesting(0, { kind: 'list', id, elements, optionals }, elements);
  }

  #map(keep: (begun: Expression) => void): Expression {
    const id = this.#id(this.#reader.match(token.leftBrace, nothing));
    const entries: MapEntry[] = [];
    keep({ kind: 'map', id, entries });
    this.#reader.sync(union(startOfOptionalExpression, follow.braces));
    if (startOfOptionalExpression.has(this.#reader.current.type)) {
      this.#commaSeparated('mapInitializerList', follow.braces, () => {
        const keys: Expression[] = [];
        const at = this.#context.newId(0);
        const isOptional = this.#optionalExpression(follow.colon, keys);
        this.#context.offsets[at] = this.#reader.match(token.colon, startOfExpression).offset;
        const value = this.#expression(follow.comma);
        entries.push({ id: at, key: keys[0]!, value, isOptional });
      });
    }
    this.#closing(token.rightBrace, follow.braces);
    const parts = entries.flatMap(({ key, value }) => [key, value]);
    return this.#nesting(0, { kind: 'map', id, entries }, parts);
  }

  /** @param nameLength the number of tokens of the type's name */
  #struct(nameLength: number): Expression {
    let typeName = '';
    for (let count = 0; count < nameLength; count++) {
      typeName += this.#reader.match(this.#reader.current.type, nothing).text;
    }
    const id = this.#id(this.#reader.match(token.leftBrace, nothing));
    const fields: FieldEntry[] = [];
    const startOfField = union(identifierOrEscaped, tokens(token.question));
    this.#reader.sync(union(startOfField, follow.braces));
    if (startOfField.has(this.#reader.current.type)) {
      this.#commaSeparated('fieldInitializerList', follow.braces, () => this.#field(fields));
    }
    this.#closing(token.rightBrace, follow.braces);
    const values = fields.map(({ value }) => value);
    return this.#nesting(0, { kind: 'struct', id, typeName, fields }, values);
  }

  #field(fields: FieldEntry[]): void {
    const id = this.#context.newId(0);
    const first = this.#reader.current;
    let isOptional = false;
    let name: Token | undefined;
    this.#rule('optField', follow.colon, () => {
      this.#reader.sync(union(identifierOrEscaped, tokens(token.question)));
      isOptional = this.#takeQuestion(first, "unsupported syntax '?'");
      name = this.#fieldName(follow.end);
      return { kind: 'unspecified', id };
    });
    this.#context.offsets[id] = this.#reader.match(token.colon, startOfExpression).offset;
    const value = this.#expression(follow.comma);
    if (name) fields.push({ id, name: this.#unescapeField(name), value, isOptional });
  }

  /** The list continues after a comma only if an element follows: a trailing comma belongs to the bracket. */
  #commaSeparated(name: string, after: ReadonlySet<number>, readElement: () => void): void {
    const start = name === 'fieldInitializerList' ? identifierOrEscaped : startOfExpression;
    const goesOn = (): boolean => {
      const next = this.#reader.peek(1).type;
      return this.#reader.is(token.comma) && (next === token.question || start.has(next));
    };
    this.#rule(name, after, () => {
      readElement();
      while (goesOn()) {
        this.#reader.match(token.comma, nothing);
        readElement();
      }
      return this.#unspecified();
    });
  }

  #closing(bracket: number, expected: ReadonlySet<number>): void {
    this.#reader.sync(expected);
    if (this.#reader.is(token.comma)) this.#reader.match(token.comma, nothing);
    this.#reader.match(bracket, follow.end);
  }

  /** @returns whether there was a leading question mark */
  #optionalExpression(after: ReadonlySet<number>, into: Expression[]): boolean {
    let isOptional = false;
    const expression = this.#rule('optExpr', after, () => {
      this.#reader.sync(startOfOptionalExpression);
      isOptional = this.#takeQuestion(this.#reader.current, "unsupported syntax '?'");
      return this.#expression(follow.end);
    });
    into.push(expression);
    return isOptional;
  }

  #takeQuestion(reportAt: Token, message: string): boolean {
    if (!this.#reader.is(token.question)) return false;
    this.#reader.match(token.question, nothing);
    if (!this.#options.optionalSyntax) this.#context.report(reportAt.offset, message);
    return true;
  }

  #fieldName(after: ReadonlySet<number>): Token {
    let found: Token = this.#reader.current;
    const nothingRead: Expression = { kind: 'unspecified', id: 0 };
    const read = (): Expression => {
      this.#reader.sync(identifierOrEscaped);
      found = this.#reader.match(this.#reader.current.type, nothing);
      return nothingRead;
    };
    this.#reader.rule('escapeIdent', after, read, () => {
      this.#context.report(found.offset, 'unsupported ident kind');
      return nothingRead;
    });
    return found;
  }

  #unescapeField(name: Token): string {
    if (name.type !== token.escapedIdentifier) return name.text;
    if (this.#options.escapedIdentifiers) return name.text.slice(1, -1);
    this.#context.report(name.offset, "unsupported syntax: '`'");
    return '';
  }

  #literal(): Expression {
    const first = this.#reader.current;
    const sign = first.type === token.minus ? this.#reader.match(token.minus, nothing).text : '';
    const { type } = this.#reader.current;
    const { text } = this.#reader.match(type, nothing);
    return literalOf(this.#context, first.offset, type, sign, text);
  }

  #id(at: Token): number {
    return this.#context.newId(at.offset);
  }

  #call(id: number, name: string, target: Expression | undefined, args: readonly Expression[]): Expression {
    const call: Expression = { kind: 'call', id, function: name, target, arguments: args };
    const expanded = expandMacro(this.#context, this.#options.macros, id, name, target, args);
    const isCounted = target !== undefined || countedOperators.has(name);
    return this.#nesting(isCounted ? 1 : 0, expanded ?? call, target ? [target, ...args] : args);
  }

  /** Records the depth of an expression, including chains of operators and fields, and refuses one that is too deep. */
  #nesting(own: number, expression: Expression, parts: readonly Expression[]): Expression {
    const depth = own + parts.reduce((most, { id }) => Math.max(most, this.#depths[id] ?? 0), 0);
    if (depth > expressionDepthMax) throw new ParsingStopped('max recursion depth exceeded');
    this.#depths[expression.id] = depth;
    return expression;
  }
}

/** Undefined unless a limit stopped parsing; the stack may overflow before a limit is reached. */
function messageOfStop(error: unknown): string | undefined {
  if (error instanceof ParsingStopped) return error.message;
  return error instanceof RangeError ? `expression recursion limit exceeded: ${ruleDepthMax}` : undefined;
}

/** Messages omit unreadable characters, but positions count them. */
function withoutErrors(text: string, errors: readonly LexerError[]): string {
  if (errors.length === 0) return text;
  const units = text.split('');
  for (const error of errors) units.fill(unreadable, error.offset, error.offset + error.text.length);
  return units.join('');
}
