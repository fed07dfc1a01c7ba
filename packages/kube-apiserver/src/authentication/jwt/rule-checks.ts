/**
 * Compiles and checks the expressions of one authenticator, and records the claims that they read for the rule about
 * e-mail.
 */
import {
  duplicateError,
  invalidError,
  requiredError,
  type FieldError,
  type FieldPath,
} from '@coxswain/apimachinery';
import { compileExpression, type ExpressionVariable } from './claim-expressions.ts';
import { readsClaim } from './email-claims.ts';
import type { StatedJwtAuthenticator } from './stated-configuration.ts';

type ClaimRules = NonNullable<StatedJwtAuthenticator['claimValidationRules']>;
type UserRules = NonNullable<StatedJwtAuthenticator['userValidationRules']>;

export class RuleChecks {
  /** Whether the user name is derived from `claims.email`. */
  readsEmail = false;
  readsEmailVerified = false;

  claimRuleErrors(rules: ClaimRules, parent: FieldPath): FieldError[] {
    const claims = new Set<string>();
    const expressions = new Set<string>();
    return rules.flatMap(({ claim, expression, message, requiredValue }, index) => {
      const path = parent.index(index);
      if (claim !== '' && expression !== '') {
        return [invalidError(path, claim, "claim and expression can't both be set")];
      }
      if (claim === '' && expression === '') return [requiredError(path, 'claim or expression is required')];
      if (claim !== '') {
        const isRepeated = claims.has(claim);
        claims.add(claim);
        return [
          ...misplaced(path.child('message'), message, 'may not be specified when claim is set'),
          ...(isRepeated ? [duplicateError(path.child('claim'), claim)] : []),
        ];
      }
      return [
        ...misplaced(
          path.child('requiredValue'),
          requiredValue,
          'may not be specified when expression is set',
        ),
        ...this.#onceErrors(expressions, expression, path.child('expression'), 'claims'),
      ];
    });
  }

  userRuleErrors(rules: UserRules, parent: FieldPath): FieldError[] {
    const expressions = new Set<string>();
    return rules.flatMap(({ expression }, index) => {
      const path = parent.index(index).child('expression');
      return expression === ''
        ? [requiredError(path)]
        : this.#onceErrors(expressions, expression, path, 'user');
    });
  }

  /** The result type of a mapping is known only at evaluation. */
  mappingErrors(expression: string, path: FieldPath, role?: 'username' | 'extra'): FieldError[] {
    return this.#expressionErrors(expression, path, 'claims', false, role);
  }

  #onceErrors(
    seen: Set<string>,
    expression: string,
    path: FieldPath,
    variable: ExpressionVariable,
  ): FieldError[] {
    if (seen.has(expression)) return [duplicateError(path, expression)];
    seen.add(expression);
    const role = variable === 'claims' ? 'extra' : undefined;
    return this.#expressionErrors(expression, path, variable, true, role);
  }

  #expressionErrors(
    expression: string,
    path: FieldPath,
    variable: ExpressionVariable,
    mustBeBool: boolean,
    role: 'username' | 'extra' | undefined,
  ): FieldError[] {
    const compiled = compileExpression(expression, variable, mustBeBool);
    if ('problem' in compiled) return [invalidError(path, expression, compiled.problem)];
    if (role === 'username') this.readsEmail ||= readsClaim(compiled, 'email');
    if (role !== undefined) this.readsEmailVerified ||= readsClaim(compiled, 'email_verified');
    return [];
  }
}

const misplaced = (path: FieldPath, value: string, text: string): FieldError[] =>
  value === '' ? [] : [invalidError(path, value, text)];
