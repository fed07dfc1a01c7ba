/** `$((…))` in a shell: integers, variables, assignments, comparisons. */

const tokenPattern =
  /\s*(?:(\d+)|\$?\{?([A-Za-z_]\w*)\}?|(<<|>>|<=|>=|==|!=|&&|\|\||\+\+|--|[-+*/%]=|[-+*/%()<>!=?:&|^~]))/y;

/** A word of a script that has no value, which ends the script. */
export class ExpansionFailure extends Error {}

/** Lowest precedence first. */
const levels: readonly Readonly<Record<string, (a: number, b: number) => number>>[] = [
  { '||': (a, b) => Number(a !== 0 || b !== 0) },
  { '&&': (a, b) => Number(a !== 0 && b !== 0) },
  { '|': (a, b) => a | b },
  { '^': (a, b) => a ^ b },
  { '&': (a, b) => a & b },
  { '==': (a, b) => Number(a === b), '!=': (a, b) => Number(a !== b) },
  {
    '<': (a, b) => Number(a < b),
    '>': (a, b) => Number(a > b),
    '<=': (a, b) => Number(a <= b),
    '>=': (a, b) => Number(a >= b),
  },
  { '<<': (a, b) => a << b, '>>': (a, b) => a >> b },
  { '+': (a, b) => a + b, '-': (a, b) => a - b },
  { '*': (a, b) => a * b, '/': (a, b) => divided(a, b), '%': (a, b) => (divided(a, b), a % b) },
];

function divided(a: number, b: number): number {
  if (b === 0) throw new ExpansionFailure('arithmetic syntax error: divide by zero');
  return Math.trunc(a / b);
}

export interface Variables {
  readonly value: (name: string) => string;
  /** None can be assigned if unset. */
  readonly assign?: (name: string, value: number) => void;
}

const syntaxError = (): ExpansionFailure => new ExpansionFailure('arithmetic syntax error');

/** @throws ExpansionFailure if it is not an expression */
export function evaluateArithmetic(expression: string, variables: Variables): number {
  const tokens = tokensOf(expression);
  if (tokens.length === 0) return 0;
  const reader = new ExpressionReader(tokens, variables);
  const value = reader.choice();
  if (!reader.isAtEnd) throw syntaxError();
  return value;
}

class ExpressionReader {
  readonly #tokens: readonly string[];
  readonly #variables: Variables;
  #at = 0;

  constructor(tokens: readonly string[], variables: Variables) {
    this.#tokens = tokens;
    this.#variables = variables;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#tokens.length;
  }

  /** `condition ? a : b`, without assignments in the part that does not count. */
  choice(): number {
    const condition = this.#level(0);
    if (this.#tokens[this.#at] !== '?') return condition;
    this.#at++;
    const first = this.choice();
    this.#take(':');
    const second = this.choice();
    return condition === 0 ? second : first;
  }

  #level(index: number): number {
    const operators = levels[index];
    if (operators === undefined) return this.#operand();
    let value = this.#level(index + 1);
    for (;;) {
      const apply = operators[this.#tokens[this.#at] ?? ''];
      if (apply === undefined) return value;
      this.#at++;
      value = apply(value, this.#level(index + 1));
    }
  }

  #operand(): number {
    const token = this.#tokens[this.#at++] ?? '';
    if (token === '-') return -this.#operand();
    if (token === '+') return this.#operand();
    if (token === '!') return Number(this.#operand() === 0);
    if (token === '~') return ~this.#operand();
    if (token === '++' || token === '--') {
      const name = this.#tokens[this.#at++] ?? '';
      return this.#assign(name, this.#value(name) + (token === '++' ? 1 : -1));
    }
    if (token === '(') {
      const value = this.choice();
      this.#take(')');
      return value;
    }
    return /^[A-Za-z_]/.test(token) && this.#variables.assign ? this.#variable(token) : this.#value(token);
  }

  /** A name, and what is assigned to it. */
  #variable(name: string): number {
    const operator = this.#tokens[this.#at] ?? '';
    if (operator === '++' || operator === '--') {
      this.#at++;
      const value = this.#value(name);
      this.#assign(name, value + (operator === '++' ? 1 : -1));
      return value;
    }
    if (!/^[-+*/%]?=$/.test(operator)) return this.#value(name);
    this.#at++;
    const operand = this.choice();
    const apply = levels.find((level) => Object.hasOwn(level, operator[0]!))?.[operator[0]!];
    return this.#assign(name, operator === '=' ? operand : apply!(this.#value(name), operand));
  }

  #assign(name: string, value: number): number {
    if (!/^[A-Za-z_]/.test(name)) throw syntaxError();
    this.#variables.assign?.(name, value);
    return value;
  }

  #value(token: string): number {
    if (!/^\w/.test(token)) throw syntaxError();
    const value = Number(/^\d/.test(token) ? token : this.#variables.value(token));
    if (!Number.isInteger(value)) throw syntaxError();
    return value;
  }

  #take(token: string): void {
    if (this.#tokens[this.#at++] !== token) throw syntaxError();
  }
}

function tokensOf(expression: string): readonly string[] {
  const tokens: string[] = [];
  tokenPattern.lastIndex = 0;
  const text = expression.trimEnd();
  while (tokenPattern.lastIndex < text.length) {
    const match = tokenPattern.exec(text);
    if (match === null) throw syntaxError();
    tokens.push(match[1] ?? match[2] ?? match[3]!);
  }
  return tokens;
}
