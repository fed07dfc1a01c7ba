/** A policy's `variables`: each is evaluated on first use and then cached. */
import { CelError, isError, StructValue, structType, type Activation, type Value } from '@coxswain/cel';
import {
  variablesTypeName,
  type CompiledExpression,
} from '@coxswain/api/admissionregistration/expression-compilation.ts';
import { goQuote } from '@coxswain/apimachinery/go-quote.ts';

const type = structType(variablesTypeName);

export class LazyVariables extends StructValue {
  readonly type = type;
  readonly #variables: ReadonlyMap<string, CompiledExpression>;
  readonly #values = new Map<string, Value>();
  /** What variables can refer to, including these variables. */
  #activation: Activation = {};
  #cost = 0;

  constructor(variables: ReadonlyMap<string, CompiledExpression>) {
    super();
    this.#variables = variables;
  }

  see(activation: Activation): void {
    this.#activation = activation;
  }

  /** Returns the cost of evaluating variables since the last call. */
  takeCost(): number {
    const cost = this.#cost;
    this.#cost = 0;
    return cost;
  }

  get(name: string): Value {
    let value = this.#values.get(name);
    if (value === undefined) this.#values.set(name, (value = this.#evaluate(name)));
    return value;
  }

  has(name: string): Value {
    if (!this.#variables.has(name)) return false;
    const value = this.get(name);
    return isError(value) ? value : true;
  }

  equals(other: Value): boolean {
    return other === this;
  }

  override get entryCount(): number {
    return this.#variables.size;
  }

  #evaluate(name: string): Value {
    const compiled = this.#variables.get(name);
    if (compiled === undefined) return new CelError(`no such key: ${name}`);
    const variable = `composited variable ${goQuote(name)}`;
    if ('problem' in compiled) return new CelError(`${variable} fails to compile: ${compiled.problem}`);
    const { value, cost } = compiled.program.evaluate(this.#activation);
    this.#cost += cost;
    return isError(value) ? new CelError(`${variable} fails to evaluate: ${value.message}`) : value;
  }
}
