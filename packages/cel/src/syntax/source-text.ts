/** The part of a text that each expression was written as. */
import { childrenOf, type Expression } from './expression.ts';
import { tokenize } from './lexer.ts';
import { token, type Token } from './token.ts';

interface Written {
  readonly text: string;
  readonly expression: Expression;
  /** By the expression's id. */
  readonly offsets: readonly number[];
}

interface Extent {
  readonly start: number;
  readonly end: number;
}

/**
 * By the expression's id. What a macro made of its arguments has none: only the macro itself and its arguments
 * were written by somebody.
 */
export function sourceTexts(written: Written): ReadonlyMap<number, string> {
  const extents = new Extents(written);
  const texts = new Map<number, string>();
  const visit = (expression: Expression, parentOffset: number): void => {
    const offset = written.offsets[expression.id] ?? -1;
    // All that a macro makes stands where the macro stands.
    if (offset !== parentOffset) {
      const { start, end } = extents.balanced(expression);
      texts.set(expression.id, written.text.slice(start, end));
    }
    for (const child of childrenOf(expression)) visit(child, offset);
  };
  visit(written.expression, -1);
  return texts;
}

const closing: Readonly<Record<number, number>> = {
  [token.leftParenthesis]: token.rightParenthesis,
  [token.leftBracket]: token.rightBracket,
  [token.leftBrace]: token.rightBrace,
};

class Extents {
  readonly #written: Written;
  readonly #tokens: readonly Token[];
  /** Index of the token that begins at an offset. */
  readonly #at: ReadonlyMap<number, number>;
  readonly #known = new Map<Expression, Extent>();

  constructor(written: Written) {
    this.#written = written;
    this.#tokens = tokenize(written.text).tokens;
    this.#at = new Map(this.#tokens.map(({ offset }, index) => [offset, index]));
  }

  /** With the parentheses that belong to it. */
  balanced(expression: Expression): Extent {
    let { start, end } = this.#extent(expression);
    let open = 0;
    for (const { offset, type } of this.#tokens) {
      if (offset < start || offset >= end) continue;
      if (type === token.leftParenthesis) open++;
      else if (type === token.rightParenthesis && open > 0) open--;
      else if (type === token.rightParenthesis) start = this.#before(start, token.leftParenthesis);
    }
    for (; open > 0; open--) end = this.#after(end, token.rightParenthesis);
    return { start, end };
  }

  #extent(expression: Expression): Extent {
    const known = this.#known.get(expression);
    if (known !== undefined) return known;
    const own = this.#ownExtent(expression);
    const parts = childrenOf(expression).map((child) => this.#extent(child));
    const extent = {
      start: Math.min(own.start, ...parts.map(({ start }) => start)),
      end: Math.max(own.end, ...parts.map(({ end }) => end)),
    };
    this.#known.set(expression, extent);
    return extent;
  }

  #ownExtent(expression: Expression): Extent {
    const offset = this.#written.offsets[expression.id] ?? 0;
    const index = this.#at.get(offset);
    if (index === undefined) return { start: offset, end: offset };
    const { type, text } = this.#tokens[index]!;
    const closer = closing[type];
    if (closer !== undefined) {
      const start = type === token.leftBracket ? offset : this.#nameBefore(index);
      return { start, end: this.#endOfBracket(index, type, closer) };
    }
    if (type === token.dot && expression.kind === 'select') {
      const field = this.#tokens[index + 1];
      return { start: offset, end: field === undefined ? offset + 1 : field.offset + field.text.length };
    }
    const isSign = type === token.minus && expression.kind === 'literal';
    const digits = isSign ? this.#tokens[index + 1] : undefined;
    return { start: offset, end: digits ? digits.offset + digits.text.length : offset + text.length };
  }

  /** Where `math.greatest` of `math.greatest(` begins. */
  #nameBefore(index: number): number {
    let first = index;
    while (first > 0) {
      const { type } = this.#tokens[first - 1]!;
      if (type !== token.identifier && type !== token.dot) break;
      first--;
    }
    return this.#tokens[first]!.offset;
  }

  #endOfBracket(from: number, opener: number, closer: number): number {
    let depth = 0;
    for (let index = from; index < this.#tokens.length; index++) {
      const { type, offset } = this.#tokens[index]!;
      if (type === opener) depth++;
      else if (type === closer && --depth === 0) return offset + 1;
    }
    return this.#written.text.length;
  }

  #before(offset: number, type: number): number {
    return this.#tokens.findLast((each) => each.offset < offset && each.type === type)?.offset ?? offset;
  }

  #after(offset: number, type: number): number {
    const found = this.#tokens.find((each) => each.offset >= offset && each.type === type);
    return found === undefined ? offset : found.offset + 1;
  }
}
