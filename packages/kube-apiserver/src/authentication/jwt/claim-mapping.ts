/** Maps a token's claims to a user, and checks the validation rules. @throws Error with upstream's message */
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import type { UserInfo } from '@coxswain/apiserver';
import type { Value } from '@coxswain/cel';
import { compileExpression, type CompiledExpression, type ExpressionVariable } from './claim-expressions.ts';
import { claimValue, stringsOf } from './claim-values.ts';
import { jsonKind } from './json-kind.ts';
import type { StatedJwtAuthenticator, StatedPrefixedClaim } from './stated-configuration.ts';

export type Claims = Readonly<Record<string, unknown>>;

export type MapClaims = (claims: Claims) => UserInfo;

/** @throws Error for expressions that don't compile, which validation excludes */
export function claimMapping(stated: StatedJwtAuthenticator): MapClaims {
  const { claimMappings: mappings } = stated;
  const nameOf = usernameMapping(mappings.username);
  const groupsOf = groupsMapping(mappings.groups);
  const uidOf = uidMapping(mappings.uid);
  const extraOf = extraMapping(mappings.extra ?? []);
  const checkClaims = claimRules(stated.claimValidationRules ?? []);
  const checkUser = userRules(stated.userValidationRules ?? []);
  return (claims) => {
    const value = claimValue(claims);
    const name = nameOf(claims, value);
    const groups = groupsOf(claims, value);
    const uid = uidOf(claims, value);
    const extra = extraOf(claims, value);
    checkClaims(claims, value);
    const user: UserInfo = {
      name,
      groups,
      ...(uid === '' ? {} : { uid }),
      ...(Object.keys(extra).length === 0 ? {} : { extra }),
    };
    checkUser(user);
    return user;
  };
}

type Mapping<T> = (claims: Claims, value: Value) => T;

function usernameMapping({ claim, prefix, expression }: StatedPrefixedClaim): Mapping<string> {
  if (expression !== '') {
    const evaluate = evaluator(expression, 'username claim');
    return (_, value) => {
      const name = evaluate(value);
      if (typeof name !== 'string') throw mappingError('username claim', mustBeString('username'));
      if (name === '') throw new Error('oidc: empty username via CEL expression is not allowed');
      return name;
    };
  }
  return (claims) => {
    const name = reported(`parse username claims ${JSON.stringify(claim)}`, () => stringClaim(claims, claim));
    if (claim === 'email' && has(claims, 'email_verified')) {
      const verified = reported("parse 'email_verified' claim", () => boolClaim(claims, 'email_verified'));
      if (!verified) throw new Error('oidc: email not verified');
    }
    return `${prefix ?? ''}${name}`;
  };
}

function groupsMapping({ claim, prefix, expression }: StatedPrefixedClaim): Mapping<readonly string[]> {
  if (expression !== '') {
    const evaluate = evaluator(expression, 'group claim');
    return (_, value) => inMapping('group claim', () => stringsOf(evaluate(value)));
  }
  return (claims) =>
    claim === '' || !has(claims, claim)
      ? []
      : reported(`parse groups claim ${JSON.stringify(claim)}`, () => stringOrStrings(claims[claim])).map(
          (group) => `${prefix ?? ''}${group}`,
        );
}

function uidMapping({ claim, expression }: StatedJwtAuthenticator['claimMappings']['uid']): Mapping<string> {
  if (claim !== '') {
    return (claims) => reported(`parse uid claim ${JSON.stringify(claim)}`, () => stringClaim(claims, claim));
  }
  if (expression === '') return () => '';
  const evaluate = evaluator(expression, 'uid claim');
  return (_, value) => {
    const uid = evaluate(value);
    if (typeof uid !== 'string') throw mappingError('uid claim', mustBeString('uid'));
    return uid;
  };
}

function extraMapping(
  stated: NonNullable<StatedJwtAuthenticator['claimMappings']['extra']>,
): Mapping<Record<string, readonly string[]>> {
  const mappings = stated.map(({ key, valueExpression }) => ({
    key,
    expression: compiled(valueExpression, 'claims'),
  }));
  return (claims, value) => {
    const extra: Record<string, readonly string[]> = {};
    const { jti } = claims;
    if (typeof jti === 'string' && jti !== '') extra[credentialIdKey] = [`JTI=${jti}`];
    for (const { key, expression } of mappings) {
      const found = expression.evaluate(value);
      const values = inMapping('extra claim', () => stringsOf(found), `${expression.text}: `);
      if (values.length > 0) extra[key] = values;
    }
    return extra;
  };
}

const credentialIdKey = 'authentication.kubernetes.io/credential-id';

function claimRules(rules: NonNullable<StatedJwtAuthenticator['claimValidationRules']>): Mapping<void> {
  const required = rules.filter(({ claim }) => claim !== '');
  const expressions = ruleExpressions(rules, 'claims');
  return (claims, value) => {
    for (const { claim, requiredValue } of required) {
      if (!has(claims, claim)) throw new Error(`oidc: required claim ${claim} not present in ID token`);
      const found = reported(`parse claim ${claim}`, () => stringClaim(claims, claim));
      if (found === requiredValue) continue;
      throw new Error(
        `oidc: required claim ${claim} value does not match. Got = ${found}, want = ${requiredValue}`,
      );
    }
    checkRules(expressions, value, 'error evaluating claim validation expression');
  };
}

function userRules(
  rules: NonNullable<StatedJwtAuthenticator['userValidationRules']>,
): (user: UserInfo) => void {
  const expressions = ruleExpressions(rules, 'user');
  return ({ name, uid = '', groups, extra = {} }) => {
    if (expressions.length === 0) return;
    const value = claimValue({ username: name, uid, groups, extra });
    checkRules(expressions, value, 'error evaluating user info validation rule');
  };
}

interface RuleExpression {
  readonly expression: CompiledExpression;
  readonly message: string;
}

const ruleExpressions = (
  rules: readonly { readonly expression: string; readonly message: string }[],
  variable: ExpressionVariable,
): readonly RuleExpression[] =>
  rules
    .filter(({ expression }) => expression !== '')
    .map(({ expression, message }) => ({ expression: compiled(expression, variable), message }));

/** All rules are evaluated before one is judged. */
function checkRules(rules: readonly RuleExpression[], value: Value, what: string): void {
  reported(what, () => {
    const results = rules.map(({ expression }) => expression.evaluate(value));
    for (const [index, { expression, message }] of rules.entries()) {
      if (typeof results[index] !== 'boolean') throw new Error('validation expression must return a boolean');
      if (!results[index]) throw new Error(`validation expression '${expression.text}' failed: ${message}`);
    }
  });
}

function evaluator(expression: string, what: string): (value: Value) => Value {
  const { evaluate } = compiled(expression, 'claims');
  return (value) => inMapping(what, () => evaluate(value));
}

function compiled(expression: string, variable: ExpressionVariable): CompiledExpression {
  const found = compileExpression(expression, variable, false);
  if ('problem' in found) throw new Error(found.problem);
  return found;
}

const mustBeString = (what: string): string => `${what} claim expression must return a string`;

const mappingError = (what: string, text: string): MappingError =>
  new MappingError(`oidc: error evaluating ${what} expression: ${text}`);

/** Reported once, however deep the evaluation was. */
class MappingError extends Error {}

function inMapping<T>(what: string, evaluate: () => T, detail = ''): T {
  try {
    return evaluate();
  } catch (failure) {
    if (failure instanceof MappingError) throw failure;
    throw mappingError(what, `${detail}${messageOf(failure)}`);
  }
}

function reported<T>(what: string, read: () => T): T {
  try {
    return read();
  } catch (failure) {
    throw new Error(`oidc: ${what}: ${messageOf(failure)}`, { cause: failure });
  }
}

const has = (claims: Claims, name: string): boolean => Object.hasOwn(claims, name);

function stringClaim(claims: Claims, name: string): string {
  if (!has(claims, name)) throw new Error('claim not present');
  return stringIn(claims[name]);
}

/** As in Go's decoder, null yields the empty string. */
function stringIn(value: unknown): string {
  if (value === null) return '';
  if (typeof value !== 'string') throw unfit(value, 'string');
  return value;
}

function boolClaim(claims: Claims, name: string): boolean {
  const value = claims[name];
  if (value === null) return false;
  if (typeof value !== 'boolean') throw unfit(value, 'bool');
  return value;
}

function stringOrStrings(value: unknown): readonly string[] {
  if (value === null) return [];
  const areStrings = Array.isArray(value) && value.every((one) => one === null || typeof one === 'string');
  return areStrings ? value.map((one) => (one as string | null) ?? '') : [stringIn(value)];
}

const unfit = (value: unknown, goType: string): Error =>
  new Error(`json: cannot unmarshal ${jsonKind(value)} into Go value of type ${goType}`);
