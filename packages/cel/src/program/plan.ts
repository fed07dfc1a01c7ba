/** Compiles an expression to closures. */

import type { CheckedExpression } from '../check/checker.ts';
import type { Scope } from '../check/scope.ts';
import type {
  Call,
  Comprehension,
  Expression,
  Identifier,
  ListExpression,
  MapExpression,
  Select,
  StructExpression,
} from '../syntax/expression.ts';
import { CelError } from '../values/error.ts';
import { GrowingList } from '../values/list.ts';
import { GrowingMap } from '../values/map.ts';
import { TypeValue } from '../values/type-value.ts';
import type { Value } from '../values/value.ts';
import { attributeOf, conditional, type Attribute, type Qualifier } from './attribute.ts';
import { planCall } from './call.ts';
import { planList, planMap, planStruct } from './construct.ts';
import { planFold } from './fold.ts';
import { planAnd, planOptionalOr, planOr } from './logic.ts';
import { schemaTypeNames } from '../types/schema-type-names.ts';
import { constantNode, type Node } from './node.ts';
import { ProgramError } from './program-error.ts';
import type { Observe } from './observe.ts';
import { Run, type Evaluate } from './run.ts';

/** A variable declared by a comprehension, and the slot of its value. */
export interface Local {
  readonly slot: number;
  /** For an accumulator, which is created on first use. */
  readonly initial: Evaluate | undefined;
}

export class Planner {
  readonly #ast: CheckedExpression;
  readonly #scope: Scope;
  readonly #regularExpressions: Readonly<Record<string, number>>;
  readonly #observe: Observe | undefined;
  readonly #locals: (readonly [string, Local])[] = [];
  #slots = 0;

  constructor(
    ast: CheckedExpression,
    scope: Scope,
    regularExpressions: Readonly<Record<string, number>>,
    observe?: Observe,
  ) {
    this.#ast = ast;
    this.#scope = scope;
    this.#regularExpressions = regularExpressions;
    this.#observe = observe;
  }

  plan(expression: Expression): Node {
    const node = this.#planKind(expression);
    const observe = this.#observe;
    if (observe === undefined || node.constant !== undefined) return node;
    const { evaluate } = node;
    return {
      ...node,
      evaluate: (run) => {
        const value = evaluate(run);
        observe(expression.id, value, run.cost);
        return value;
      },
    };
  }

  #planKind(expression: Expression): Node {
    switch (expression.kind) {
      case 'literal':
        return constantNode(expression.value as Value);
      case 'identifier':
        return this.#planIdentifier(expression);
      case 'select':
        return this.#planSelect(expression);
      case 'call':
        return this.#planCall(expression);
      case 'list':
        return this.#planList(expression);
      case 'map':
        return this.#planMap(expression);
      case 'struct':
        return this.#planStruct(expression);
      case 'comprehension':
        return this.#planComprehension(expression);
      default:
        throw new ProgramError('unsupported expr');
    }
  }

  #planIdentifier({ id, name }: Identifier): Node {
    const reference = this.#ast.references[id];
    if (reference?.value !== undefined) return constantNode(reference.value);
    const type = this.#ast.types[id];
    const local = this.#local(name);
    if (local) return attributeNode(attributeOf(readLocal(local)));
    if (type?.kind === 'type' && type.parameters[0] && !this.#isVariable(name)) {
      if (schemaTypeNames.has(name)) throw new ProgramError(`reference to undefined type: ${name}`);
      return constantNode(new TypeValue(type.parameters[0]));
    }
    const missing = new CelError(`no such attribute(s): ${name}`);
    return attributeNode(attributeOf((run) => run.activation[name] ?? nullOr(run, name, missing)));
  }

  #isVariable(name: string): boolean {
    return this.#scope.variables.some((table) => table.has(name));
  }

  #local(name: string): Local | undefined {
    return this.#locals.findLast(([localName]) => localName === name)?.[1];
  }

  #planSelect({ operand, field, isTest }: Select): Node {
    const attribute = attributeFor(this.plan(operand)).with({ key: field, isOptional: false, isTest });
    return isTest ? testNode(attribute) : attributeNode(attribute);
  }

  #planCall(call: Call): Node {
    const operands = call.target ? [call.target, ...call.arguments] : call.arguments;
    const nodes = operands.map((operand) => this.plan(operand));
    const [first, second, third] = nodes;
    switch (call.function) {
      case '_&&_':
        return { evaluate: planAnd(first!.evaluate, second!.evaluate) };
      case '_||_':
        return { evaluate: planOr(first!.evaluate, second!.evaluate) };
      case '_?_:_':
        return attributeNode(conditional(first!.evaluate, branch(second!), branch(third!)));
      case '_[_]':
        return attributeNode(attributeFor(first!).with(qualifierOf(second!, false)));
      case '_[?_]':
      case '_?._':
        return attributeNode(attributeFor(first!).with(qualifierOf(second!, true)));
      case 'or':
      case 'orValue':
        return { evaluate: planOptionalOr(first!.evaluate, second!.evaluate, call.function === 'orValue') };
      default: {
        const overloads = this.#ast.references[call.id]?.overloads ?? [];
        return planCall(call, nodes, overloads, this.#scope, this.#regularExpressions);
      }
    }
  }

  #planList({ elements, optionals }: ListExpression): Node {
    const nodes = elements.map((element) => this.plan(element));
    return foldConstants(nodes, { evaluate: planList(nodes.map(evaluateOf), optionals) });
  }

  #planMap({ entries }: MapExpression): Node {
    const keys = entries.map((entry) => this.plan(entry.key));
    const values = entries.map((entry) => this.plan(entry.value));
    const optionals = entries.map((entry) => entry.isOptional);
    const evaluate = planMap(keys.map(evaluateOf), values.map(evaluateOf), optionals);
    return foldConstants([...keys, ...values], { evaluate });
  }

  #planStruct({ typeName, fields }: StructExpression): Node {
    const values = fields.map((field) => this.plan(field.value));
    return { evaluate: planStruct(typeName, fields, values.map(evaluateOf), this.#scope.provider) };
  }

  #planComprehension(expression: Comprehension): Node {
    const range = this.plan(expression.range);
    const initial = growing(expression.initial) ?? this.plan(expression.initial).evaluate;
    const slots = { accumulator: this.#slots++, variable: this.#slots++, second: this.#slots++ };
    this.#locals.push([expression.accumulator, { slot: slots.accumulator, initial }]);
    this.#locals.push([expression.variable, { slot: slots.variable, initial: undefined }]);
    if (expression.secondVariable !== '') {
      this.#locals.push([expression.secondVariable, { slot: slots.second, initial: undefined }]);
    }
    const condition = this.plan(expression.condition);
    const step = this.plan(expression.step);
    this.#locals.length -= expression.secondVariable === '' ? 1 : 2;
    const result = this.plan(expression.result);
    this.#locals.pop();
    const isPair = expression.secondVariable !== '';
    return { evaluate: planFold({ range, condition, step, result, slots, isPair }) };
  }
}

/** An empty list or map that a comprehension fills is changed in place, since nobody else sees it. */
function growing(initial: Expression): Evaluate | undefined {
  if (initial.kind === 'list' && initial.elements.length === 0) return () => new GrowingList();
  if (initial.kind === 'map' && initial.entries.length === 0) return () => new GrowingMap();
  return undefined;
}

const evaluateOf = (node: Node): Evaluate => node.evaluate;

export function attributeNode(attribute: Attribute): Node {
  const { resolve, ownCost } = attribute;
  if (ownCost === 0) return { evaluate: resolve, attribute };
  return {
    evaluate: (run) => {
      const value = resolve(run);
      run.spend(1);
      return value;
    },
    attribute,
  };
}

/** A presence test has no cost of its own besides its steps. */
function testNode(attribute: Attribute): Node {
  return {
    evaluate: (run) => {
      const value = attribute.resolve(run);
      return typeof value === 'object' && value !== null && 'value' in value
        ? value.value !== undefined
        : value;
    },
    attribute,
  };
}

const attributeFor = (node: Node): Attribute => node.attribute ?? attributeOf(node.evaluate);

/** A branch of a conditional is resolved without an attribute's own cost. */
const branch = (node: Node): Attribute => node.attribute ?? { ...attributeOf(node.evaluate), ownCost: 0 };

function qualifierOf(node: Node, isOptional: boolean): Qualifier {
  if (node.constant !== undefined) return { key: node.constant, isOptional, isTest: false };
  return { key: node.attribute ? node.attribute.resolve : node.evaluate, isOptional, isTest: false };
}

function readLocal({ slot, initial }: Local): Evaluate {
  if (!initial) return (run) => run.locals[slot]!;
  return (run) => run.locals[slot] ?? initialize(run, slot, initial);
}

function initialize(run: Run, slot: number, initial: Evaluate): Value {
  // null is a value that was already set.
  if (run.locals[slot] === null) return null;
  const value = initial(run);
  run.locals[slot] = value;
  return value;
}

const nullOr = (run: Run, name: string, missing: CelError): Value =>
  run.activation[name] === null ? null : missing;

/** A literal of constants is a constant: created once, at no cost. */
function foldConstants(parts: readonly Node[], node: Node): Node {
  if (parts.some((part) => part.constant === undefined)) return node;
  const value = node.evaluate(new Run({}, Infinity));
  return constantNode(value);
}
