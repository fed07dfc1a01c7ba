/**
 * Basic and extended regular expressions of POSIX with GNU's additions, without back-references. They are translated for
 * RE2, whose time is linear in the text.
 */
import { RE2JS } from 're2js';

export interface Expression {
  /** The first match that starts at `from` or later. */
  find(text: string, from?: number): ExpressionMatch | undefined;
}

export interface ExpressionMatch {
  readonly start: number;
  readonly end: number;
  /** What the whole and each group matched. */
  readonly groups: readonly string[];
}

export interface ExpressionSyntax {
  readonly isExtended?: boolean;
  readonly ignoresCase?: boolean;
}

/** The maximum length of an expression. */
const expressionCharactersMax = 4_096;

/** @throws Error */
export function compileExpression(
  source: string,
  { isExtended = false, ignoresCase = false }: ExpressionSyntax = {},
): Expression {
  if (source.length > expressionCharactersMax) throw new Error('Regular expression too big');
  let compiled: RE2JS;
  try {
    const flags = RE2JS.LONGEST_MATCH | (ignoresCase ? RE2JS.CASE_INSENSITIVE : 0);
    compiled = RE2JS.compile(translated(source, isExtended), flags);
  } catch {
    throw new Error(`bad regex '${source}'`);
  }
  return {
    find(text, from = 0) {
      const matcher = compiled.matcher(text);
      if (!matcher.find(from)) return undefined;
      const groups = Array.from({ length: matcher.groupCount() + 1 }, (_none, at) => matcher.group(at) ?? '');
      return { start: matcher.start(), end: matcher.end(), groups };
    },
  };
}

/** A text that is matched as it is. */
export const escapedExpression = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** What a backslash and a letter mean in both syntaxes. */
const escapes = /^\\[nrtfvwWsSbB]/;

function translated(source: string, isExtended: boolean): string {
  let result = '';
  let rest = source;
  while (rest !== '') {
    const bracket = /^\[\^?\]?(?:\[[:.=][^\]]*[:.=]\]|[^\]])*\]/.exec(rest)?.[0];
    // In a basic expression, these are operators only with a backslash.
    const isOperator = isExtended ? /^[+?(){}|]/.test(rest) : /^\\[+?(){}|]/.test(rest);
    // There is nothing to repeat, so it stands for itself.
    const isAtStart = /(?:^|\(|\|)\^?$/.test(result) && !/\\[(|]\^?$/.test(result);
    if (bracket !== undefined) {
      result += `[${bracket
        .slice(1, -1)
        .replaceAll('\\', '\\\\')
        .replace(/^(\^?)\]/, '$1\\]')}]`;
      rest = rest.slice(bracket.length);
    } else if (isOperator) {
      const at = isExtended ? 0 : 1;
      const operator = rest[at]!;
      const isText =
        (isAtStart && /[+?]/.test(operator)) ||
        (operator === '{' && !/^\d*,?\d*\\?\}/.test(rest.slice(at + 1)));
      result += isText ? `\\${operator}` : operator === '{' ? '{' : operator;
      rest = rest.slice(at + 1);
      if (operator === '{' && rest.startsWith(',')) result += '0';
    } else if (rest.startsWith('\\')) {
      const [whole = '\\\\'] = /^\\[<>]/.exec(rest)
        ? ['\\b']
        : (escapes.exec(rest) ?? [`\\${rest[1] ?? '\\'}`]);
      if (/^\\[1-9]/.test(whole)) throw new Error('back-references are not supported');
      result += /^\\[A-Za-z_]/.test(whole) && !escapes.test(whole) ? whole.slice(1) : whole;
      rest = rest.slice(2);
    } else {
      const letter = rest[0]!;
      const isAnchor = letter === '^' ? isExtended || isAtStart : /^\$(?:$|\\?[)|])/.test(rest) || isExtended;
      const isText =
        (letter === '*' && isAtStart) ||
        (/[\^$]/.test(letter) && !isAnchor) ||
        (!isExtended && /[+?(){}|]/.test(letter));
      result += isText ? `\\${letter}` : letter;
      rest = rest.slice(1);
    }
  }
  return result;
}
