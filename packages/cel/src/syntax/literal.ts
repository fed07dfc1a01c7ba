/** Literals: numbers within their bounds, strings and bytes without their quotes. */

import { Double } from '../values/double.ts';
import { intFromText } from '../values/int.ts';
import { Uint, uintMax } from '../values/uint.ts';
import type { Expression } from './expression.ts';
import type { ParseContext } from './parse-context.ts';
import { token } from './token.ts';
import { UnescapeError, unescapeBytes, unescapeString } from './unescape.ts';

/** @param sign '-' or ''; errors are reported at the offset */
export function literalOf(
  context: ParseContext,
  offset: number,
  type: number,
  sign: string,
  text: string,
): Expression {
  switch (type) {
    case token.int: {
      const value = intFromText(sign + text);
      return value === undefined
        ? context.reportAt(offset, 'invalid int literal')
        : context.literal(offset, value);
    }
    case token.uint: {
      const value = BigInt(text.slice(0, -1));
      if (value > uintMax) return context.reportAt(offset, 'invalid uint literal');
      return context.literal(offset, new Uint(value));
    }
    case token.float: {
      const value = Number(sign + text);
      if (!Number.isFinite(value)) return context.reportAt(offset, 'invalid double literal');
      return context.literal(offset, new Double(value));
    }
    case token.string:
      return textLiteral(context, offset, () => unescapeString(text));
    case token.bytes:
      return textLiteral(context, offset, () => unescapeBytes(text.slice(1)));
    default:
      return context.literal(offset, type === token.null ? null : type === token.true);
  }
}

function textLiteral(context: ParseContext, offset: number, read: () => string | Uint8Array): Expression {
  try {
    return context.literal(offset, read());
  } catch (error) {
    if (!(error instanceof UnescapeError)) throw error;
    context.report(offset, error.message);
    return context.literal(offset, '');
  }
}
