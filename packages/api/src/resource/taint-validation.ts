/** Validates taints of devices, tolerations, and DeviceTaintRules. */

import {
  checkDnsLabel,
  checkLabelValue,
  validateLabelName,
  type FieldError,
  type FieldPath,
} from '@coxswain/apimachinery';
import { check, pathOf, Errors } from '../meta/checks.ts';
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
  if (effect === '') errors.required(path.child('effect'));
  else if (!effects.includes(effect)) errors.notSupported(path.child('effect'), effect, effects);
}

export function validateToleration(toleration: Toleration, path: FieldPath, errors: Errors): void {
  const { key, operator = '', value = '', effect } = toleration;
  if (key) errors.push(...validateLabelName(key, path.child('key')));
  if (operator === 'Exists') {
    if (value !== '') {
      errors.invalid(path.child('value'), value, 'must be empty for operator `Exists`');
    }
  } else if (operator === 'Equal') check(value, path.child('value'), checkLabelValue, errors);
  else if (operator === '') errors.required(path.child('operator'));
  else errors.notSupported(path.child('operator'), operator, ['Equal', 'Exists']);
  if (effect && !effects.includes(effect)) {
    errors.notSupported(path.child('effect'), effect, effects);
  }
}

interface RuleSpec {
  deviceSelector?: { driver?: string | null; pool?: string | null; device?: string | null } | null;
  taint?: Taint;
}

type Rule = StatusObject<RuleSpec, { conditions?: Condition[] | null }>;

export function validateTaintRule({ metadata, spec }: Rule, old: Rule | undefined): FieldError[] {
  const errors = new Errors();
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
  const errors = new Errors();
  validateObjectMetaUpdate(metadata, old.metadata, errors);
  const conditions = status?.conditions ?? [];
  const path = pathOf('status', 'conditions');
  validateConditions(conditions, path, errors);
  if (conditions.length > conditionsMax) errors.tooMany(path, conditions.length, conditionsMax);
  return errors;
}
