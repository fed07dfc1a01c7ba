/** Determines the type of every part of an expression, and the candidate overloads of every call. */

import { formatSignature, formatType } from '../types/format-type.ts';
import type { FunctionDeclaration, Overload } from '../declarations/declaration.ts';
import {
  boolType,
  bytesType,
  doubleType,
  dynType,
  errorType,
  intType,
  isDynamic,
  isOptionalType,
  isSameType,
  listType,
  mapType,
  nullType,
  opaqueType,
  optionalType,
  stringType,
  typeOfType,
  typeParameter,
  uintType,
  type CelType,
} from '../types/type.ts';
import {
  qualifiedName,
  type Call,
  type Comprehension,
  type Expression,
  type LiteralValue,
  type MapExpression,
  type Select,
  type ListExpression,
  type StructExpression,
} from '../syntax/expression.ts';
import type { ParseContext } from '../syntax/parse-context.ts';
import { Double } from '../values/double.ts';
import { Uint } from '../values/uint.ts';
import type { Value } from '../values/value.ts';
import { candidateNames, type Scope, type VariableDeclaration } from './scope.ts';
import { assign, assignAll, mostGeneral, substitute, Substitutions } from './unify.ts';
import { wellKnownName } from './well-known.ts';

/** The meaning of a name or a call. */
export interface Reference {
  /** Of a variable, a constant or a type. */
  readonly name: string;
  readonly value?: Value;
  /** For a call: several if the types leave it open. */
  readonly overloads: readonly string[];
}

export interface CheckedExpression {
  readonly expression: Expression;
  /** By the expression's id. */
  readonly types: readonly CelType[];
  readonly references: readonly (Reference | undefined)[];
}

/** Issues are reported to the context. */
export function check(expression: Expression, context: ParseContext, scope: Scope): CheckedExpression {
  const checker = new Checker(context, scope);
  const checked = checker.check(expression);
  return { expression: checked, types: checker.resolvedTypes(), references: checker.references };
}

class Checker {
  readonly references: (Reference | undefined)[] = [];
  readonly #types: CelType[] = [];
  readonly #context: ParseContext;
  #scope: Scope;
  readonly #substitutions = new Substitutions();
  #typeVariables = 0;

  constructor(context: ParseContext, scope: Scope) {
    this.#context = context;
    this.#scope = scope;
  }

  resolvedTypes(): CelType[] {
    return this.#types.map((type) => substitute(this.#substitutions, type, true));
  }

  check(expression: Expression): Expression {
    this.#context.countStep();
    switch (expression.kind) {
      case 'literal':
        this.#setType(expression, typeOfLiteral(expression.value));
        return expression;
      case 'identifier':
        return (
          this.#checkIdentifier(expression, expression.name) ?? this.#undeclared(expression, expression.name)
        );
      case 'select':
        return this.#checkSelect(expression);
      case 'call':
        return this.#checkCall(expression);
      case 'list':
        return this.#checkList(expression);
      case 'map':
        return this.#checkMap(expression);
      case 'struct':
        return this.#checkStruct(expression);
      case 'comprehension':
        return this.#checkComprehension(expression);
      default:
        this.#report(expression.id, 'unexpected unspecified type: unspecifiedExpr');
        this.#setType(expression, errorType);
        return expression;
    }
  }

  #undeclared(expression: Expression, name: string): Expression {
    this.#setType(expression, errorType);
    const { container } = this.#scope;
    this.#report(expression.id, `undeclared reference to '${name}' (in container '${container}')`);
    return expression;
  }

  #checkIdentifier(expression: Expression, name: string): Expression | undefined {
    const found = this.#lookUp(name);
    if (!found) return undefined;
    this.#setType(expression, found.type);
    this.references[expression.id] = { name: found.name, value: found.value, overloads: [] };
    return { kind: 'identifier', id: expression.id, name: found.name };
  }

  #checkSelect(expression: Select): Expression {
    const name = qualifiedName(expression);
    const qualified = name === undefined ? undefined : this.#checkIdentifier(expression, name);
    if (qualified) return qualified;
    const operand = this.check(expression.operand);
    const type = this.#fieldType(expression.id, operand, expression.field, false);
    this.#setType(expression, substitute(this.#substitutions, expression.isTest ? boolType : type, false));
    return { ...expression, operand };
  }

  #fieldType(id: number, operand: Expression, field: string, isOptional: boolean): CelType {
    const operandType = substitute(this.#substitutions, this.#typeOf(operand), false);
    const wasOptional = isOptionalType(operandType);
    const target = wasOptional ? operandType.parameters[0]! : operandType;
    const type = this.#fieldOf(id, target, field);
    return wasOptional || isOptional ? optionalType(type) : type;
  }

  #fieldOf(id: number, target: CelType, field: string): CelType {
    switch (target.kind) {
      case 'map':
        return target.parameters[1]!;
      case 'struct':
        return this.#structField(id, target.name, field) ?? errorType;
      case 'typeParameter':
        this.#isAssignable(dynType, target);
        return dynType;
      default:
        if (!isDynamic(target) && target.kind !== 'error') {
          this.#report(id, `type '${formatType(target)}' does not support field selection`);
        }
        return dynType;
    }
  }

  #structField(id: number, structName: string, field: string): CelType | undefined {
    const { provider } = this.#scope;
    if (!provider.findStruct(structName)) {
      this.#report(id, `unexpected failed resolution of '${structName}'`);
      return undefined;
    }
    const type = provider.findField(structName, field);
    if (!type) this.#report(id, `undefined field '${field}'`);
    return type;
  }

  #checkCall(expression: Call): Expression {
    if (expression.function === '_?._') return this.#checkOptionalSelect(expression);
    const args = expression.arguments.map((argument) => this.check(argument));
    if (!expression.target) {
      const found = this.#lookUpFunction(expression.function);
      if (!found) return this.#undeclared({ ...expression, arguments: args }, expression.function);
      return this.#resolve({ ...expression, function: found.name, arguments: args }, found);
    }
    const prefix = qualifiedName(expression.target);
    const qualified =
      prefix === undefined ? undefined : this.#lookUpFunction(`${prefix}.${expression.function}`);
    if (qualified) {
      return this.#resolve(
        { ...expression, function: qualified.name, target: undefined, arguments: args },
        qualified,
      );
    }
    const target = this.check(expression.target);
    const found = this.#lookUpFunction(expression.function);
    const call: Call = { ...expression, target, arguments: args };
    return found ? this.#resolve(call, found) : this.#undeclared(call, expression.function);
  }

  #checkOptionalSelect(expression: Call): Expression {
    const [operandBefore, field] = expression.arguments;
    const operand = this.check(operandBefore!);
    const name = field!.kind === 'literal' ? String(field!.value) : '';
    const type = this.#fieldType(expression.id, operand, name, true);
    this.#setType(expression, substitute(this.#substitutions, type, false));
    this.references[expression.id] = { name: '', overloads: ['select_optional_field'] };
    return { ...expression, arguments: [operand, field!] };
  }

  #resolve(call: Call, declaration: FunctionDeclaration): Expression {
    const operands = call.target ? [call.target, ...call.arguments] : call.arguments;
    const types = operands.map((operand) => this.#typeOf(operand));
    if (declaration.name === '_&&_' || declaration.name === '_||_')
      return this.#resolveLogic(call, declaration, types);
    const candidates: string[] = [];
    let result: CelType | undefined;
    for (const overload of declaration.overloads) {
      if (overload.isMember !== (call.target !== undefined)) continue;
      if (!this.#scope.crossTypeComparison && isCrossTypeComparison(overload)) continue;
      const found = this.#resultOf(overload, types);
      if (!found) continue;
      candidates.push(overload.id);
      if (!result) result = found;
      else if (!isDynamic(result) && !isSameType(found, result)) result = dynType;
    }
    if (!result) {
      this.#setType(call, errorType);
      this.#reportNoOverload(call, declaration.name, types);
      return call;
    }
    this.#setType(call, result);
    this.references[call.id] = { name: '', overloads: candidates };
    return call;
  }

  /** The overload's result type if the arguments match. */
  #resultOf(overload: Overload, types: readonly CelType[]): CelType | undefined {
    let formal = opaqueType('function', overload.result, ...overload.arguments);
    if (overload.typeParameters.length > 0) {
      const fresh = new Map(overload.typeParameters.map((name) => [name, this.#newTypeVariable()]));
      formal = substitute(fresh, formal, false);
    }
    const [result, ...formals] = formal.parameters;
    if (!assignAll(this.#substitutions, types, formals)) return undefined;
    return substitute(this.#substitutions, result!, false);
  }

  #resolveLogic(call: Call, declaration: FunctionDeclaration, types: readonly CelType[]): Expression {
    let isRight = true;
    for (const [index, type] of types.entries()) {
      if (this.#isAssignable(type, boolType)) continue;
      isRight = false;
      this.#reportMismatch(call.arguments[index]!.id, boolType, type);
    }
    this.#setType(call, isRight ? boolType : errorType);
    if (isRight) this.references[call.id] = { name: '', overloads: [declaration.overloads[0]!.id] };
    return call;
  }

  #reportNoOverload(call: Call, name: string, types: readonly CelType[]): void {
    const resolved = types.map((type) => substitute(this.#substitutions, type, true));
    const signature = formatSignature(resolved, call.target !== undefined);
    this.#report(call.id, `found no matching overload for '${name}' applied to '${signature}'`);
  }

  #checkList(expression: ListExpression): Expression {
    let elementType: CelType | undefined;
    const elements = expression.elements.map((element, index) => {
      const checked = this.check(element);
      const type = expression.optionals.has(index) ? this.#unwrapOptional(checked) : this.#typeOf(checked);
      elementType = this.#join(elementType, type);
      return checked;
    });
    this.#setType(expression, listType(elementType ?? this.#newTypeVariable()));
    return { ...expression, elements };
  }

  #checkMap(expression: MapExpression): Expression {
    let keyType: CelType | undefined;
    let valueType: CelType | undefined;
    const entries = expression.entries.map((entry) => {
      const key = this.check(entry.key);
      keyType = this.#join(keyType, this.#typeOf(key));
      const value = this.check(entry.value);
      const type = entry.isOptional ? this.#unwrapOptional(value) : this.#typeOf(value);
      valueType = this.#join(valueType, type);
      return { ...entry, key, value };
    });
    keyType ??= this.#newTypeVariable();
    this.#setType(expression, mapType(keyType, valueType ?? this.#newTypeVariable()));
    return { ...expression, entries };
  }

  #unwrapOptional(expression: Expression): CelType {
    const type = this.#typeOf(expression);
    if (isOptionalType(type)) return type.parameters[0]!;
    if (!isDynamic(type)) this.#reportMismatch(expression.id, optionalType(type), type);
    return type;
  }

  #join(previous: CelType | undefined, current: CelType): CelType {
    if (!previous) return current;
    if (this.#isAssignable(previous, current)) return mostGeneral(previous, current);
    return dynType;
  }

  #checkStruct(expression: StructExpression): Expression {
    const found = this.#lookUp(expression.typeName);
    if (!found) return this.#undeclared(expression, expression.typeName);
    this.references[expression.id] = { name: found.name, overloads: [] };
    const type = this.#messageType(expression, found);
    this.#setType(expression, type);
    const structName = wellKnownName(type) ?? (type.kind === 'struct' ? type.name : found.name);
    const fields = expression.fields.map((field) => {
      const value = this.check(field.value);
      const fieldType = this.#structField(field.id, structName, field.name) ?? errorType;
      const valueType = field.isOptional ? this.#unwrapOptional(value) : this.#typeOf(value);
      if (!this.#isAssignable(fieldType, valueType)) {
        const [expected, actual] = [formatType(fieldType), formatType(valueType)];
        const message = `expected type of field '${field.name}' is '${expected}' but provided type is '${actual}'`;
        this.#report(field.id, message);
      }
      return { ...field, value };
    });
    return { ...expression, typeName: found.name, fields };
  }

  #messageType(expression: StructExpression, { type }: VariableDeclaration): CelType {
    if (type.kind === 'error') return errorType;
    const declared = type.kind === 'type' ? type.parameters[0] : undefined;
    if (!declared) {
      this.#report(expression.id, `'${formatType(type)}' is not a type`);
      return errorType;
    }
    if (wellKnownName(declared) !== undefined || declared.kind === 'struct') return declared;
    this.#report(expression.id, `'${declared.name}' is not a message type`);
    return errorType;
  }

  #checkComprehension(expression: Comprehension): Expression {
    const range = this.check(expression.range);
    const initial = this.check(expression.initial);
    const rangeType = substitute(this.#substitutions, this.#typeOf(range), false);
    const accumulatorType = this.#typeOf(initial);
    const outer = this.#scope;
    const withAccumulator = this.#declaring(outer, [{ name: expression.accumulator, type: accumulatorType }]);
    const variables = this.#iterationVariables(expression, range, rangeType);
    this.#scope = this.#declaring(withAccumulator, variables);
    const condition = this.check(expression.condition);
    this.#require(condition, boolType);
    const step = this.check(expression.step);
    this.#require(step, accumulatorType);
    this.#scope = withAccumulator;
    const result = this.check(expression.result);
    this.#scope = outer;
    this.#setType(expression, substitute(this.#substitutions, this.#typeOf(result), false));
    return { ...expression, range, initial, condition, step, result };
  }

  #iterationVariables(
    expression: Comprehension,
    range: Expression,
    rangeType: CelType,
  ): VariableDeclaration[] {
    const [first, second] = this.#elementTypes(range, rangeType, expression.secondVariable !== '');
    const variables = [{ name: expression.variable, type: first }];
    if (expression.secondVariable !== '') variables.push({ name: expression.secondVariable, type: second });
    return variables;
  }

  #elementTypes(range: Expression, rangeType: CelType, isPair: boolean): [CelType, CelType] {
    const [first, second] = rangeType.parameters;
    switch (rangeType.kind) {
      case 'list':
        return isPair ? [intType, first!] : [first!, first!];
      case 'map':
        return [first!, second!];
      case 'dyn':
      case 'error':
      case 'typeParameter':
        this.#isAssignable(dynType, rangeType);
        return [dynType, dynType];
      default: {
        const type = formatType(rangeType);
        const expected = '(must be list, map, or dynamic)';
        this.#report(range.id, `expression of type '${type}' cannot be range of a comprehension ${expected}`);
        return [errorType, errorType];
      }
    }
  }

  #declaring(scope: Scope, variables: readonly VariableDeclaration[]): Scope {
    const table = new Map(variables.map((variable) => [variable.name, variable]));
    // Upstream loses the list of disabled overloads inside comprehensions.
    return { ...scope, variables: [table, ...scope.variables], crossTypeComparison: true };
  }

  #require(expression: Expression, type: CelType): void {
    const actual = this.#typeOf(expression);
    if (!this.#isAssignable(type, actual)) this.#reportMismatch(expression.id, type, actual);
  }

  #lookUp(name: string): VariableDeclaration | undefined {
    const { container, variables, provider, typeNames } = this.#scope;
    for (const candidate of candidateNames(container, name)) {
      const declared = variables.find((table) => table.has(candidate))?.get(candidate);
      if (declared) return declared;
      const struct = typeNames.get(candidate) ?? provider.findStruct(candidate);
      if (struct) return { name: candidate, type: typeOfType(struct) };
      const constant = provider.findConstant?.(candidate);
      if (constant !== undefined) return { name: candidate, type: intType, value: constant };
    }
    return undefined;
  }

  #lookUpFunction(name: string): FunctionDeclaration | undefined {
    for (const candidate of candidateNames(this.#scope.container, name)) {
      const found = this.#scope.functions.get(candidate);
      if (found) return found;
    }
    return undefined;
  }

  #isAssignable(one: CelType, other: CelType): boolean {
    return assign(this.#substitutions, one, other);
  }

  #newTypeVariable(): CelType {
    return typeParameter(`_var${this.#typeVariables++}`);
  }

  #typeOf(expression: Expression): CelType {
    return this.#types[expression.id] ?? errorType;
  }

  #setType(expression: Expression, type: CelType): void {
    this.#types[expression.id] = type;
  }

  #reportMismatch(id: number, expected: CelType, actual: CelType): void {
    this.#report(id, `expected type '${formatType(expected)}' but found '${formatType(actual)}'`);
  }

  #report(id: number, message: string): void {
    this.#context.report(this.#context.offsets[id] ?? 0, message);
  }
}

function typeOfLiteral(value: LiteralValue): CelType {
  if (value === null) return nullType;
  if (typeof value === 'boolean') return boolType;
  if (typeof value === 'string') return stringType;
  if (value instanceof Uint) return uintType;
  if (value instanceof Double) return doubleType;
  return value instanceof Uint8Array ? bytesType : intType;
}

/** `less_int64_double` and similar ones compare two kinds of numbers. */
const isCrossTypeComparison = (overload: Overload): boolean =>
  /^(less|greater)_(equals_)?(int64|uint64|double)_(int64|uint64|double)$/.test(overload.id);
