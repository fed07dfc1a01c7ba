/** `$((…))` in a shell: integers, variables, comparisons. */

const tokenPattern = /\s*(?:(\d+)|\$?\{?([A-Za-z_]\w*)\}?|(<=|>=|==|!=|&&|\|\||[-+*/%()<>!]))/y;

/** A word of a script that has no value, which ends the script. */
export class ExpansionFailure extends Error {}

/** Lowest precedence first. */
const levels: readonly Readonly<Record<string, (a: number, b: number) => number>>[] = [
  { '||': (a, b) => Number(a !== 0 || b !== 0) },
  { '&&': (a, b) => Number(a !== 0 && b !== 0) },
  { '==': (a, b) => Number(a === b), '!=': (a, b) => Number(a !== b) },
  {
    '<': (a, b) => Number(a < b),
    '>': (a, b) => Number(a > b),
    '<=': (a, b) => Number(a <= b),
    '>=': (a, b) => Number(a >= b),
  },
  { '+': (a, b) => a + b, '-': (a, b) => a - b },
  { '*': (a, b) => a * b, '/': (a, b) => divided(a, b), '%': (a, b) => (divided(a, b), a % b) },
];

function divided(a: number, b: number): number {
  if (b === 0) throw new ExpansionFailure('arithmetic syntax error: divide by zero');
  return Math.trunc(a / b);
}

/** @throws ExpansionFailure if it is not an expression */
export function evaluateArithmetic(expression: string, valueOf: (name: string) => string): number {
  const tokens = tokensOf(expression);
  let at = 0;
  const operand = (): number => {
    const token = tokens[at++];
    if (token === '-') return -operand();
    if (token === '+') return operand();
    if (token === '!') return Number(operand() === 0);
    if (token === '(') {
      const value = level(0);
      if (tokens[at++] !== ')') throw new ExpansionFailure('arithmetic syntax error');
      return value;
    }
    if (token === undefined || !/^\w/.test(token)) throw new ExpansionFailure('arithmetic syntax error');
    const text = /^\d/.test(token) ? token : valueOf(token);
    const value = Number(text);
    if (!Number.isInteger(value)) throw new ExpansionFailure('arithmetic syntax error');
    return value;
  };
  const level = (index: number): number => {
    const operators = levels[index];
    if (operators === undefined) return operand();
    let value = level(index + 1);
    for (let apply = operators[tokens[at] ?? '']; apply !== undefined; apply = operators[tokens[at] ?? '']) {
      at++;
      value = apply(value, level(index + 1));
    }
    return value;
  };
  if (tokens.length === 0) return 0;
  const value = level(0);
  if (at < tokens.length) throw new ExpansionFailure('arithmetic syntax error');
  return value;
}

function tokensOf(expression: string): readonly string[] {
  const tokens: string[] = [];
  tokenPattern.lastIndex = 0;
  const text = expression.trimEnd();
  while (tokenPattern.lastIndex < text.length) {
    const match = tokenPattern.exec(text);
    if (match === null) throw new ExpansionFailure('arithmetic syntax error');
    tokens.push(match[1] ?? match[2] ?? match[3]!);
  }
  return tokens;
}
