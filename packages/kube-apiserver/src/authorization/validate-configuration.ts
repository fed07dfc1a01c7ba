/** Validates an `AuthorizationConfiguration`, in upstream's order and words. */
import {
  duplicateError,
  invalidError,
  notSupportedError,
  requiredError,
  type FieldError,
} from '@coxswain/apimachinery';
import { formatDurationMs, parseDurationMs } from '@coxswain/apimachinery/duration.ts';
import { PrintedValue, tooManyError } from '@coxswain/apimachinery/field-error.ts';
import { checkDnsSubdomain } from '@coxswain/apimachinery/names.ts';
import type { StatedAuthorizer, StatedWebhook } from './stated-authorizers.ts';
import { authorizationModes } from './configured-authorizer.ts';
import { conditionProblem } from './match-conditions.ts';

/** @returns the problem of a kubeconfig's path: `must be an absolute path` */
export type FileCheck = (path: string) => string | undefined;

const knownTypes = [...authorizationModes].sort() as readonly string[];
const conditionsMax = 64;
const timeoutMsMax = 30_000;

export function configurationErrors(
  authorizers: readonly StatedAuthorizer[],
  checkFile: FileCheck,
): FieldError[] {
  if (authorizers.length === 0) {
    return [requiredError('authorizers', 'at least one authorization mode must be defined')];
  }
  const types = new Set<string>();
  const names = new Set<string>();
  return authorizers.flatMap((authorizer, index) => {
    const { type, webhook } = authorizer;
    const path = `authorizers[${index}]`;
    if (type === '') return [requiredError(`${path}.type`)];
    if (!knownTypes.includes(type)) return [notSupportedError(`${path}.type`, type, knownTypes)];
    if (types.has(type) && type !== 'Webhook') return [duplicateError(`${path}.type`, type)];
    types.add(type);
    const errors = nameErrors(authorizer.name, `${path}.name`, names);
    names.add(authorizer.name);
    if (type !== 'Webhook') {
      const misplaced = new PrintedValue('"non-null"');
      return webhook
        ? [...errors, invalidError(`${path}.webhook`, misplaced, 'may only be specified when type=Webhook')]
        : errors;
    }
    return webhook
      ? [...errors, ...webhookErrors(webhook, path, checkFile)]
      : [...errors, requiredError(`${path}.webhook`, 'required when type=Webhook')];
  });
}

function nameErrors(name: string, path: string, seen: ReadonlySet<string>): FieldError[] {
  if (name === '') return [requiredError(path)];
  if (seen.has(name)) return [duplicateError(path, name)];
  const problems = checkDnsSubdomain(name);
  return problems.length === 0
    ? []
    : [invalidError(path, name, `authorizer name is invalid: ${problems.join(', ')}`)];
}

function webhookErrors(webhook: StatedWebhook, path: string, checkFile: FileCheck): FieldError[] {
  const { matchConditions, failurePolicy, subjectAccessReviewVersion: version } = webhook;
  const conditions = (matchConditions ?? []).map(({ expression }) => expression);
  return [
    ...timeoutErrors(webhook.timeout, `${path}.timeout`),
    ...ttlErrors(webhook.authorizedTTL, `${path}.authorizedTTL`),
    ...ttlErrors(webhook.unauthorizedTTL, `${path}.unauthorizedTTL`),
    ...oneOf(version, ['v1', 'v1beta1'], `${path}.subjectAccessReviewVersion`),
    ...conditionVersionErrors(webhook.matchConditionSubjectAccessReviewVersion, conditions, path),
    ...oneOf(failurePolicy, ['NoOpinion', 'Deny'], `${path}.failurePolicy`),
    ...connectionErrors(webhook.connectionInfo, `${path}.connectionInfo`, checkFile),
    ...conditionErrors(conditions, `${path}.matchConditions`),
  ];
}

const millisecondsOf = (text: string): number => (text === '' ? 0 : parseDurationMs(text));

function timeoutErrors(text: string, path: string): FieldError[] {
  const ms = millisecondsOf(text);
  if (ms === 0) return [requiredError(path)];
  return ms > timeoutMsMax || ms < 0
    ? [invalidError(path, formatDurationMs(ms), 'must be > 0s and <= 30s')]
    : [];
}

/** An absent value means the default. */
function ttlErrors(text: string, path: string): FieldError[] {
  const ms = millisecondsOf(text);
  return ms < 0 ? [invalidError(path, formatDurationMs(ms), 'must be > 0s')] : [];
}

function oneOf(value: string, known: readonly string[], path: string): FieldError[] {
  if (value === '') return [requiredError(path)];
  return known.includes(value) ? [] : [notSupportedError(path, value, known)];
}

function conditionVersionErrors(
  version: string,
  conditions: readonly string[],
  parent: string,
): FieldError[] {
  const path = `${parent}.matchConditionSubjectAccessReviewVersion`;
  if (version === '') {
    return conditions.length > 0 ? [requiredError(path, 'required if match conditions are specified')] : [];
  }
  return oneOf(version, ['v1'], path);
}

function connectionErrors(
  { type, kubeConfigFile }: StatedWebhook['connectionInfo'],
  path: string,
  checkFile: FileCheck,
): FieldError[] {
  const field = `${path}.kubeConfigFile`;
  switch (type) {
    case '':
      return [requiredError(`${path}.type`)];
    case 'InClusterConfig':
      return kubeConfigFile === undefined
        ? []
        : [invalidError(field, kubeConfigFile, 'can only be set when type=KubeConfigFile')];
    case 'KubeConfigFile': {
      if (!kubeConfigFile) return [requiredError(field)];
      const problem = checkFile(kubeConfigFile);
      return problem === undefined ? [] : [invalidError(field, kubeConfigFile, problem)];
    }
    default:
      return [notSupportedError(`${path}.type`, type, ['InClusterConfig', 'KubeConfigFile'])];
  }
}

function conditionErrors(conditions: readonly string[], path: string): FieldError[] {
  if (conditions.length > conditionsMax) return [tooManyError(path, conditions.length, conditionsMax)];
  const seen = new Set<string>();
  return conditions.flatMap((expression, index) => {
    const field = `${path}[${index}].expression`;
    if (expression.trim() === '') return [requiredError(field)];
    if (seen.has(expression)) return [duplicateError(field, expression)];
    seen.add(expression);
    const problem = conditionProblem(expression);
    return problem === undefined ? [] : [invalidError(field, expression, problem)];
  });
}
