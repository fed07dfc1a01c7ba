/** Macros: calls that the parser rewrites. */

import type { Expression, LiteralValue } from './expression.ts';
import type { ParseContext } from './parse-context.ts';

export interface Macro {
  readonly name: string;
  readonly argumentCount: number;
  readonly isReceiver: boolean;
  /**
   * @returns undefined if the call turns out not to be the macro's
   * @throws MacroError when the arguments don't have the macro's form
   */
  readonly expand: (
    maker: ExpressionMaker,
    target: Expression | undefined,
    args: readonly Expression[],
  ) => Expression | undefined;
}

export class MacroError extends Error {
  readonly at: Expression;

  constructor(at: Expression, message: string) {
    super(message);
    this.at = at;
  }
}

export const macroKey = (name: string, argumentCount: number, isReceiver: boolean): string =>
  `${name}:${argumentCount}:${isReceiver}`;

export const macroTable = (macros: readonly Macro[]): ReadonlyMap<string, Macro> =>
  new Map(macros.map((macro) => [macroKey(macro.name, macro.argumentCount, macro.isReceiver), macro]));

/** The accumulator variable of comprehensions; not a valid name in user expressions. */
export const accumulatorName = '@result';

/** The rewritten call, or undefined if no macro has this name, form and number of arguments. */
export function expandMacro(
  context: ParseContext,
  macros: ReadonlyMap<string, Macro>,
  id: number,
  name: string,
  target: Expression | undefined,
  args: readonly Expression[],
): Expression | undefined {
  const macro = macros.get(macroKey(name, args.length, target !== undefined));
  if (!macro) return undefined;
  const offset = context.offsets[id] ?? 0;
  try {
    const expanded = macro.expand(new ExpressionMaker(context, offset), target, args);
    if (!expanded) return undefined;
    context.deleteId(id);
    return expanded;
  } catch (error) {
    if (!(error instanceof MacroError)) throw error;
    context.deleteId(id);
    return context.reportAt(context.offsets[error.at.id] ?? offset, error.message);
  }
}

/** Makes the expressions of an expansion; all of them have the position of the macro's call. */
export class ExpressionMaker {
  readonly #context: ParseContext;
  readonly #offset: number;

  constructor(context: ParseContext, offset: number) {
    this.#context = context;
    this.#offset = offset;
  }

  literal(value: LiteralValue): Expression {
    return { kind: 'literal', id: this.#id(), value };
  }

  identifier(name: string): Expression {
    return { kind: 'identifier', id: this.#id(), name };
  }

  accumulator(): Expression {
    return this.identifier(accumulatorName);
  }

  list(...elements: Expression[]): Expression {
    return { kind: 'list', id: this.#id(), elements, optionals: new Set() };
  }

  emptyMap(): Expression {
    return { kind: 'map', id: this.#id(), entries: [] };
  }

  call(name: string, ...args: Expression[]): Expression {
    return { kind: 'call', id: this.#id(), function: name, target: undefined, arguments: args };
  }

  memberCall(name: string, target: Expression, ...args: Expression[]): Expression {
    return { kind: 'call', id: this.#id(), function: name, target, arguments: args };
  }

  presenceTest(operand: Expression, field: string): Expression {
    return { kind: 'select', id: this.#id(), operand, field, isTest: true };
  }

  comprehension(
    range: Expression,
    variables: readonly [string, string],
    accumulator: string,
    parts: { initial: Expression; condition: Expression; step: Expression; result: Expression },
  ): Expression {
    const [variable, secondVariable] = variables;
    return { kind: 'comprehension', id: this.#id(), range, variable, secondVariable, accumulator, ...parts };
  }

  /** The same expression with new ids, at the same positions. */
  copy(expression: Expression): Expression {
    const id = this.#context.newId(this.#context.offsets[expression.id] ?? 0);
    const copy = (child: Expression): Expression => this.copy(child);
    switch (expression.kind) {
      case 'select':
        return { ...expression, id, operand: copy(expression.operand) };
      case 'call':
        return {
          ...expression,
          id,
          target: expression.target && copy(expression.target),
          arguments: expression.arguments.map(copy),
        };
      case 'list':
        return { ...expression, id, elements: expression.elements.map(copy) };
      case 'map':
        return {
          ...expression,
          id,
          entries: expression.entries.map((entry) => ({
            ...entry,
            id: this.#id(),
            key: copy(entry.key),
            value: copy(entry.value),
          })),
        };
      case 'struct':
        return {
          ...expression,
          id,
          fields: expression.fields.map((field) => ({ ...field, id: this.#id(), value: copy(field.value) })),
        };
      case 'comprehension':
        return {
          ...expression,
          id,
          range: copy(expression.range),
          initial: copy(expression.initial),
          condition: copy(expression.condition),
          step: copy(expression.step),
          result: copy(expression.result),
        };
      default:
        return { ...expression, id };
    }
  }

  #id(): number {
    return this.#context.newId(this.#offset);
  }
}
