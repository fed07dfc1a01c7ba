/**
 * Evaluates the CEL rules of a custom resource. Violations of unchanged parts of an update only cause warnings; all
 * rules of one object share a cost budget.
 */

import {
  isError,
  none,
  Optional,
  valueOf,
  escapeFieldName,
  type DeclaredType,
  type Value,
} from '@coxswain/cel';
import {
  byteLength,
  duplicateError,
  fieldErrorText,
  FieldPath,
  forbiddenError,
  goQuote,
  invalidError,
  omitted,
  requiredError,
  semanticDeepEqual,
  type FieldError,
} from '@coxswain/apimachinery';
import { writeSorted } from '@coxswain/schema/json/write.ts';
import { compileRules, selfTypeOf, type CompiledRule } from './rule-compilation.ts';
import { schemaOf, type Schema } from './schema-tree.ts';

/** The cost limit of all rules for one object. */
const budgetDefault = 10_000_000;
/** The maximum length of a message made by an expression. */
const messageBytesMax = 5 * 1024;

/** A place in the schema, and those below it that have rules. */
interface RuleNode {
  readonly schema: Schema;
  readonly type: DeclaredType;
  readonly rules: readonly CompiledRule[];
  readonly properties: ReadonlyMap<string, RuleNode>;
  readonly items: RuleNode | undefined;
  readonly additional: RuleNode | undefined;
}

export interface RuleFindings {
  readonly errors: readonly FieldError[];
  /** Texts of violations whose values an update didn't change. */
  readonly warnings: readonly string[];
}

const nothing: RuleFindings = { errors: [], warnings: [] };

/** Compiled once for a schema; undefined if it has no rules. */
export class RuleEvaluator {
  readonly #root: RuleNode;

  private constructor(root: RuleNode) {
    this.#root = root;
  }

  static of(schema: Schema, isResourceRoot = true): RuleEvaluator | undefined {
    const type = selfTypeOf(schema, isResourceRoot);
    const root = type && nodeOf(schema, type);
    return root && new RuleEvaluator(root);
  }

  /** All rules with their places in the schema: `spec: self.minReplicas <= self.maxReplicas`. */
  rules(): readonly string[] {
    return rulesBelow(this.#root, '');
  }

  /** `path` is that of the value, absent for a whole object; `ratchets` ignores unchanged values. */
  evaluate(value: unknown, old: unknown, path?: FieldPath, ratchets = true): RuleFindings {
    if (value === undefined || value === null) return nothing;
    const run = new Evaluation();
    const before = old ?? undefined;
    const correlation = before === undefined || !ratchets ? uncorrelated : correlationOf(value, before);
    run.node(this.#root, path, value, before, correlation);
    return run.findings();
  }
}

function nodeOf(schema: Schema, type: DeclaredType): RuleNode | undefined {
  const rules = compileRules(schema, schema['x-kubernetes-validations'] ?? [], type);
  const properties = new Map<string, RuleNode>();
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const inner = type.fields?.get(escapeFieldName(name) ?? '')?.type;
    const node = inner && nodeOf(property, inner);
    if (node !== undefined) properties.set(name, node);
  }
  const below = (value: unknown): RuleNode | undefined => {
    const inner = schemaOf(value);
    return inner && type.element && nodeOf(inner, type.element);
  };
  const items = below(schema.items);
  const additional = type.fields === undefined ? below(schema.additionalProperties) : undefined;
  const isEmpty = rules.length === 0 && properties.size === 0 && items === undefined;
  return isEmpty && additional === undefined
    ? undefined
    : { schema, type, rules, properties, items, additional };
}

const rulesBelow = ({ rules, properties, items, additional }: RuleNode, path: string): readonly string[] => [
  ...rules.map(({ rule }) => (path === '' ? rule.rule : `${path}: ${rule.rule}`)),
  ...[...properties].flatMap(([name, node]) => rulesBelow(node, path === '' ? name : `${path}.${name}`)),
  ...[items, additional].flatMap((node) => (node === undefined ? [] : rulesBelow(node, `${path}[*]`))),
];

/**
 * The previous value, as ratcheting finds it. A value without a counterpart in the old object counts as unchanged
 * together with the nearest enclosing one that has one.
 */
interface Correlation {
  readonly before: unknown;
  readonly isFound: boolean;
  readonly isKept: () => boolean;
}

const uncorrelated: Correlation = { before: undefined, isFound: false, isKept: () => false };

function correlationOf(value: unknown, before: unknown): Correlation {
  let isKept: boolean | undefined;
  return { before, isFound: true, isKept: () => (isKept ??= semanticDeepEqual(value, before)) };
}

function below(around: Correlation, value: unknown, before: unknown): Correlation {
  if (!around.isFound) return around;
  if (before === undefined || before === null) return { ...uncorrelated, isKept: around.isKept };
  return correlationOf(value, before);
}

class Evaluation {
  readonly #errors: FieldError[] = [];
  readonly #warnings: string[] = [];
  #budget = budgetDefault;

  findings(): RuleFindings {
    return { errors: this.#errors, warnings: this.#warnings };
  }

  /** Returns false when evaluation must stop. */
  node(
    node: RuleNode,
    path: FieldPath | undefined,
    value: unknown,
    old: unknown,
    correlation: Correlation,
  ): boolean {
    if (value === undefined || value === null) return true;
    if (!this.#rules(node, path, value, old ?? undefined, correlation.isKept)) return false;
    if (Array.isArray(value)) return this.#items(node, path, value, old, correlation);
    return typeof value === 'object' ? this.#members(node, path, value, old, correlation) : true;
  }

  #members(
    node: RuleNode,
    path: FieldPath | undefined,
    value: object,
    old: unknown,
    correlation: Correlation,
  ): boolean {
    const before = isRecord(old) ? old : undefined;
    const place = isRecord(correlation.before) ? correlation.before : undefined;
    for (const [name, member] of Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) {
      const inner = node.additional ?? node.properties.get(name);
      if (inner === undefined) continue;
      const at = node.additional === undefined ? childOf(path, name) : path?.key(name);
      const isType = path === undefined && (name === 'apiVersion' || name === 'kind');
      const here = isType ? uncorrelated : below(correlation, member, place?.[name]);
      if (!this.node(inner, at, member, before?.[name], here)) return false;
    }
    return true;
  }

  #items(
    node: RuleNode,
    path: FieldPath | undefined,
    value: readonly unknown[],
    old: unknown,
    correlation: Correlation,
  ): boolean {
    if (node.items === undefined) return true;
    const before = Array.isArray(old) ? (old as readonly unknown[]) : [];
    const place = Array.isArray(correlation.before) ? (correlation.before as readonly unknown[]) : [];
    const storedOf = itemsByKeys(node.schema, before);
    const placeOf = place === before ? storedOf : itemsByKeys(node.schema, place);
    for (const [index, item] of value.entries()) {
      const stored = storedOf(item);
      const here = below(correlation, item, placeOf(item));
      if (!this.node(node.items, path?.index(index), item, stored, here)) return false;
    }
    return true;
  }

  #rules(
    { rules, schema, type }: RuleNode,
    path: FieldPath | undefined,
    value: unknown,
    old: unknown,
    isKept: () => boolean,
  ): boolean {
    if (rules.length === 0) return true;
    const shown = schema.type ?? '';
    if (this.#budget <= 0) return this.#stop(path, shown, outOfBudget);
    const self = valueOf(value, type);
    const oldSelf = old === undefined ? undefined : valueOf(old, type);
    for (const compiled of rules) {
      const { rule, program, problem, usesOldSelf } = compiled;
      if (problem !== undefined) {
        this.#errors.push(invalidError(path, shown, `rule compile error: ${problem}`));
        continue;
      }
      const isOptional = rule.optionalOldSelf === true;
      if (program === undefined || (usesOldSelf && oldSelf === undefined && !isOptional)) continue;
      const optionalOld: Value = oldSelf === undefined ? none : new Optional(oldSelf);
      const activation: Record<string, Value> = { self };
      if (isOptional) activation['oldSelf'] = optionalOld;
      else if (oldSelf !== undefined) activation['oldSelf'] = oldSelf;
      const { value: result, cost } = program.evaluate(activation);
      if (cost > this.#budget) return this.#stop(path, shown, outOfBudget);
      this.#budget -= cost;
      if (result === true) continue;
      if (isError(result)) {
        if (!this.#failed(compiled, result.message, path, shown)) return false;
        continue;
      }
      const plain: Record<string, Value> = oldSelf === undefined ? { self } : { self, oldSelf };
      const reported = this.#refuse(compiled, plain, value, path, shown, !usesOldSelf && isKept());
      if (!reported) return false;
    }
    return true;
  }

  #stop(path: FieldPath | undefined, shown: string, detail: string): false {
    this.#errors.push(invalidError(path, shown, detail));
    return false;
  }

  #failed({ rule }: CompiledRule, message: string, path: FieldPath | undefined, shown: string): boolean {
    const name = nameOf(rule);
    if (message.startsWith(costLimitExceeded)) {
      const detail = `'${message}': no further validation rules will be run due to call cost exceeds limit for rule: ${name}`;
      return this.#stop(path, shown, detail);
    }
    const detail = message.startsWith('no such overload')
      ? `'${message}': call arguments did not match a supported operator, function or macro signature for rule: ${name}`
      : `${message} evaluating rule: ${name}`;
    this.#errors.push(invalidError(path, shown, detail));
    return true;
  }

  #refuse(
    compiled: CompiledRule,
    activation: Readonly<Record<string, Value>>,
    value: unknown,
    path: FieldPath | undefined,
    shown: string,
    isKept: boolean,
  ): boolean {
    const { rule, fieldPath } = compiled;
    const at = fieldPath === '' ? path : childOf(path, fieldPath);
    const add = (error: FieldError): void => {
      if (isKept) this.#warnings.push(fieldErrorText(error));
      else this.#errors.push(error);
    };
    const message = this.#message(compiled, activation);
    if (typeof message === 'object') {
      add(invalidError(at, shown, message.fatal));
      return false;
    }
    const badValue = shown === 'object' || shown === 'array' ? omitted : value;
    add(errorOf(rule.reason, at, badValue, message ?? defaultMessage(rule)));
    return true;
  }

  /** Undefined if the expression yields no valid message. */
  #message(
    { message, rule }: CompiledRule,
    activation: Readonly<Record<string, Value>>,
  ): string | { readonly fatal: string } | undefined {
    if (message === undefined) return undefined;
    const { value, cost } = message.evaluate(activation);
    if (cost > this.#budget) {
      return {
        fatal:
          'messageExpression evaluation failed due to running out of cost budget, no further validation rules will be run',
      };
    }
    if (isError(value) && value.message.startsWith(costLimitExceeded)) {
      return {
        fatal: `no further validation rules will be run due to call cost exceeds limit for messageExpression: ${goQuote(rule.messageExpression ?? '')}`,
      };
    }
    this.#budget -= cost;
    if (typeof value !== 'string') return undefined;
    const text = value.trim();
    const isGood = text !== '' && !text.includes('\n') && byteLength(text) <= messageBytesMax;
    return isGood ? text : undefined;
  }
}

const costLimitExceeded = 'operation cancelled: actual cost limit exceeded';
const outOfBudget =
  'validation failed due to running out of cost budget, no further validation rules will be run';

type Rule = CompiledRule['rule'];

const nameOf = ({ rule, message }: Rule): string => (message ? message.trim() : (rule ?? '').trim());

const defaultMessage = (rule: Rule): string =>
  rule.message ? rule.message.trim() : `failed rule: ${nameOf(rule)}`;

function errorOf(
  reason: Rule['reason'],
  path: FieldPath | undefined,
  value: unknown,
  detail: string,
): FieldError {
  if (reason === 'FieldValueForbidden') return forbiddenError(path, detail);
  if (reason === 'FieldValueRequired') return requiredError(path, detail);
  return reason === 'FieldValueDuplicate' ? duplicateError(path, value) : invalidError(path, value, detail);
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const childOf = (path: FieldPath | undefined, name: string): FieldPath =>
  path === undefined ? FieldPath.of(name) : path.child(name);

/** Finds the item of a list with the same keys; only items with keys can be correlated. */
function itemsByKeys(schema: Schema, items: readonly unknown[]): (item: unknown) => unknown {
  if (schema['x-kubernetes-list-type'] !== 'map' || items.length === 0) return () => undefined;
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  const keyOf = (item: Readonly<Record<string, unknown>>): string =>
    writeSorted(keys.map((key) => item[key] ?? null));
  const found = new Map<string, unknown>();
  // Of items with equal keys, the first counts.
  for (const item of items.toReversed()) if (isRecord(item)) found.set(keyOf(item), item);
  return (item) => (isRecord(item) ? found.get(keyOf(item)) : undefined);
}
