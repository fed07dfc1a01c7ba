/** The place of rules in a schema: the type of its values, and their maximum number. */

import { newestLibrary, escapeFieldName, type DeclaredType } from '@coxswain/cel';
import { invalidError, type FieldPath } from '@coxswain/apimachinery';
import type { Errors } from '../meta/checks.ts';
import { printedRule } from './printed-schema.ts';
import { compileRules, selfTypeOf, type CompiledRule } from './rule-compilation.ts';
import { costMessage, elementsMax, product, ruleCostMax, TotalCost } from './rule-cost.ts';
import type { Schema } from './schema-tree.ts';

export class RuleScope {
  readonly total: TotalCost;
  readonly #schema: Schema;
  readonly #parent: RuleScope | undefined;
  readonly #stepFromParent: ((type: DeclaredType) => DeclaredType | undefined) | undefined;
  /** The maximum number of its values in one object; undefined without a limit. */
  readonly #count: number | undefined;
  /** Whether it or an enclosing place has rules. */
  readonly #isInside: boolean;
  #type: DeclaredType | undefined;

  private constructor(
    schema: Schema,
    parent?: RuleScope,
    stepFromParent?: (type: DeclaredType) => DeclaredType | undefined,
  ) {
    this.#schema = schema;
    this.#parent = parent;
    this.#stepFromParent = stepFromParent;
    this.total = parent?.total ?? new TotalCost();
    this.#count = parent === undefined ? 1 : parent.#countBelow();
    this.#isInside =
      (parent !== undefined && parent.#isInside) || (schema['x-kubernetes-validations'] ?? []).length > 0;
  }

  static ofRoot(schema: Schema): RuleScope {
    return new RuleScope(schema);
  }

  property(name: string, schema: Schema): RuleScope {
    return new RuleScope(schema, this, (type) => type.fields?.get(escapeFieldName(name) ?? '')?.type);
  }

  /** For a list's items or a map's values. */
  element(schema: Schema): RuleScope {
    return new RuleScope(schema, this, (type) => type.element);
  }

  /** `uncorrelatable` is the enclosing place in which old values can't be found. */
  validate(
    path: FieldPath,
    uncorrelatable: FieldPath | undefined,
    isUnchanged: boolean,
    errors: Errors,
  ): void {
    const rules = this.#schema['x-kubernetes-validations'] ?? [];
    const type = this.#typeInfo();
    if (rules.length === 0 || type === undefined) return;
    for (const [index, compiled] of compileRules(this.#schema, rules, type).entries()) {
      const at = path.child('x-kubernetes-validations').index(index);
      this.#validateRule(compiled, at, isUnchanged, errors);
      validateOldSelf(compiled, uncorrelatable, at, errors);
    }
  }

  #validateRule(compiled: CompiledRule, path: FieldPath, isUnchanged: boolean, errors: Errors): void {
    const { rule, problem, messageProblem, messageCostMax } = compiled;
    const rulePath = path.child('rule');
    const cost = product(compiled.costMax, this.#count ?? compiled.countMax);
    if (!isUnchanged && cost > ruleCostMax) {
      errors.forbidden(rulePath, costMessage('estimated rule cost', cost, ruleCostMax));
    }
    this.total.add(rulePath, cost);
    const { earlierProblem } = compiled;
    if (problem !== undefined) {
      const error = invalidError(rulePath, printedRule(rule), problem);
      errors.push(earlierProblem === undefined ? error : { ...error, since: newestLibrary });
    }
    const before = isUnchanged ? undefined : earlierProblem?.();
    if (before !== undefined)
      errors.push({ ...invalidError(rulePath, printedRule(rule), before), until: newestLibrary });
    const messagePath = path.child('messageExpression');
    if (messageProblem !== undefined) {
      errors.invalid(messagePath, printedRule(rule), messageProblem);
    } else if (compiled.message !== undefined) {
      if (!isUnchanged && messageCostMax > ruleCostMax) {
        const detail = costMessage('estimated messageExpression cost', messageCostMax, ruleCostMax);
        errors.forbidden(messagePath, detail);
      }
      this.total.add(messagePath, messageCostMax);
    }
  }

  #countBelow(): number | undefined {
    const elements = elementsMax(this.#schema);
    return this.#count === undefined || elements === undefined ? undefined : product(this.#count, elements);
  }

  #typeInfo(): DeclaredType | undefined {
    if (!this.#isInside) return undefined;
    if (this.#type !== undefined) return this.#type;
    const around = this.#parent === undefined ? undefined : this.#parent.#typeInfo();
    this.#type = around && this.#stepFromParent?.(around);
    const isResource = this.#parent === undefined || this.#schema['x-kubernetes-embedded-resource'] === true;
    return (this.#type ??= selfTypeOf(this.#schema, isResource));
  }
}

function validateOldSelf(
  { rule, usesOldSelf }: CompiledRule,
  uncorrelatable: FieldPath | undefined,
  path: FieldPath,
  errors: Errors,
): void {
  if (!usesOldSelf) {
    if (rule.optionalOldSelf == null) return;
    const detail = 'may not be set if oldSelf is not used in rule';
    errors.invalid(path.child('optionalOldSelf'), rule.optionalOldSelf, detail);
  } else if (uncorrelatable !== undefined) {
    const detail = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${uncorrelatable.toString()}`;
    errors.invalid(path.child('rule'), rule.rule, detail);
  }
}
