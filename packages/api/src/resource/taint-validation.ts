/** Validates taints of devices, tolerations, and DeviceTaintRules. */

import {
  checkDnsLabel,
  checkLabelValue,
  invalidError,
  notSupportedError,
  requiredError,
  tooManyError,
  validateLabelName,
  type FieldError,
  type FieldPath,
} from '@coxswain/apimachinery';
import { check, pathOf, type Errors } from '../meta/checks.ts';
import { validateConditions } from '../meta/condition-validation.ts';
import type { StatusObject } from '../meta/kind-object.ts';
import { subdomainName, validateMeta, validateObjectMetaUpdate } from '../meta/object-meta-validation.ts';
import type { Condition } from '../meta/v1/condition.ts';
import { validateDriverName } from '../storage/driver-validation.ts';
import { validatePoolName } from './name-validation.ts';

const effects = ['NoExecute', 'NoSchedule', 'None'];
const conditionsMax = 8;

interface Taint {
  key?: string;
  value?: string;
  effect?: string;
}

interface Toleration extends Taint {
  operator?: string;
}

/** A rule's existing effect is not refused. */
export function validateTaint(taint: Taint, old: Taint | undefined, path: FieldPath, errors: Errors): void {
  const { key = '', value = '', effect = '' } = taint;
  errors.push(...validateLabelName(key, path.child('key')));
  if (value !== '') check(value, path.child('value'), checkLabelValue, errors);
  if (old !== undefined && (old.effect ?? '') === effect) return;
  if (effect === '') errors.push(requiredError(path.child('effect')));
  else if (!effects.includes(effect)) errors.push(notSupportedError(path.child('effect'), effect, effects));
}

export function validateToleration(toleration: Toleration, path: FieldPath, errors: Errors): void {
  const { key, operator = '', value = '', effect } = toleration;
  if (key) errors.push(...validateLabelName(key, path.child('key')));
  if (operator === 'Exists') {
    if (value !== '') {
      errors.push(invalidError(path.child('value'), value, 'must be empty for operator `Exists`'));
    }
  } else if (operator === 'Equal') check(value, path.child('value'), checkLabelValue, errors);
  else if (operator === '') errors.push(requiredError(path.child('operator')));
  else errors.push(notSupportedError(path.child('operator'), operator, ['Equal', 'Exists']));
  if (effect && !effects.includes(effect)) {
    errors.push(notSupportedError(path.child('effect'), effect, effects));
  }
}

interface RuleSpec {
  deviceSelector?: { driver?: string | null; pool?: string | null; device?: string | null } | null;
  taint?: Taint;
}

type Rule = StatusObject<RuleSpec, { conditions?: Condition[] | null }>;

export function validateTaintRule({ metadata, spec }: Rule, old: Rule | undefined): FieldError[] {
  const errors: Errors = [];
  validateMeta(metadata, old?.metadata, { namespaced: false, name: subdomainName }, errors);
  const path = pathOf('spec', 'deviceSelector');
  const { driver, pool, device } = spec.deviceSelector ?? {};
  if (driver != null) validateDriverName(driver, path.child('driver'), errors);
  if (pool != null) validatePoolName(pool, path.child('pool'), errors);
  if (device != null) check(device, path.child('device'), checkDnsLabel, errors);
  validateTaint(spec.taint ?? {}, old && (old.spec.taint ?? {}), pathOf('spec', 'taint'), errors);
  return errors;
}

export function validateTaintRuleStatus({ metadata, status }: Rule, old: Rule): FieldError[] {
  const errors: Errors = [];
  validateObjectMetaUpdate(metadata, old.metadata, errors);
  const conditions = status?.conditions ?? [];
  const path = pathOf('status', 'conditions');
  validateConditions(conditions, path, errors);
  if (conditions.length > conditionsMax) errors.push(tooManyError(path, conditions.length, conditionsMax));
  return errors;
}
