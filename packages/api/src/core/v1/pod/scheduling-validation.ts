/** Validates scheduling constraints: affinity, tolerations, topology spreading. */

import {
  checkDnsLabel,
  checkDnsSubdomain,
  checkLabelValue,
  checkQualifiedName,
  goQuote,
  parseInt64,
  validateLabelSelector,
  type FieldPath,
  convertedText,
  referencedText,
} from '@coxswain/apimachinery';
import { check, notPositiveMessage, type Errors } from '../../../meta/checks.ts';
import type { LabelSelector } from '../../../meta/v1/label-selector.ts';
import type { Affinity, NodeAffinity, PodAffinityTerm, WeightedPodAffinityTerm } from '../affinity.ts';
import type { NodeSelector, NodeSelectorRequirement, NodeSelectorTerm } from '../node-selector.ts';
import type { PodOptions } from './pod-options.ts';
import type { Toleration } from '../taint.ts';
import type { TopologySpreadConstraint } from '../topology-spread-constraint.ts';

export function validateAffinity(
  affinity: Affinity,
  path: FieldPath,
  options: PodOptions,
  errors: Errors,
): void {
  if (affinity.nodeAffinity != null) {
    validateNodeAffinity(
      affinity.nodeAffinity,
      options.invalidLabelValuesInNodeAffinity,
      path.child('nodeAffinity'),
      errors,
    );
  }
  for (const side of ['podAffinity', 'podAntiAffinity'] as const) {
    const terms = affinity[side];
    if (terms == null) continue;
    const allowInvalidValues = options.invalidLabelValuesInSelectors;
    const sidePath = path.child(side);
    validateTerms(terms.requiredDuringSchedulingIgnoredDuringExecution, sidePath, allowInvalidValues, errors);
    validateWeighted(
      terms.preferredDuringSchedulingIgnoredDuringExecution,
      sidePath,
      allowInvalidValues,
      errors,
    );
  }
}

export function validateNodeAffinity(
  affinity: NodeAffinity,
  allowInvalidValues: boolean,
  path: FieldPath,
  errors: Errors,
): void {
  const required = affinity.requiredDuringSchedulingIgnoredDuringExecution;
  if (required != null) {
    validateNodeSelector(
      required,
      allowInvalidValues,
      path.child('requiredDuringSchedulingIgnoredDuringExecution'),
      errors,
    );
  }
  for (const [index, term] of (affinity.preferredDuringSchedulingIgnoredDuringExecution ?? []).entries()) {
    const termPath = path.child('preferredDuringSchedulingIgnoredDuringExecution').index(index);
    validateWeight(term.weight, termPath, errors);
    validateNodeTerm(term.preference, true, termPath.child('preference'), errors);
  }
}

export function validateNodeSelector(
  selector: NodeSelector,
  allowInvalidValues: boolean,
  path: FieldPath,
  errors: Errors,
): void {
  const terms = selector.nodeSelectorTerms ?? [];
  const termsPath = path.child('nodeSelectorTerms');
  if (terms.length === 0) errors.required(termsPath, 'must have at least one node selector term');
  for (const [index, term] of terms.entries()) {
    validateNodeTerm(term, allowInvalidValues, termsPath.index(index), errors);
  }
}

function validateNodeTerm(
  term: NodeSelectorTerm,
  allowInvalidValues: boolean,
  path: FieldPath,
  errors: Errors,
): void {
  for (const [index, requirement] of (term?.matchExpressions ?? []).entries()) {
    validateNodeRequirement(
      requirement,
      allowInvalidValues,
      path.child('matchExpressions').index(index),
      errors,
    );
  }
  for (const [index, requirement] of (term?.matchFields ?? []).entries()) {
    validateNodeField(requirement, path.child('matchFields').index(index), errors);
  }
}

function validateNodeRequirement(
  { key, operator, values = [] }: NodeSelectorRequirement,
  allowInvalidValues: boolean,
  path: FieldPath,
  errors: Errors,
): void {
  const valuesPath = (): FieldPath => path.child('values');
  switch (operator as string) {
    case 'In':
    case 'NotIn':
      if (values.length === 0) {
        errors.required(valuesPath(), "must be specified when `operator` is 'In' or 'NotIn'");
      }
      break;
    case 'Exists':
    case 'DoesNotExist':
      if (values.length > 0) {
        errors.forbidden(valuesPath(), "may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
      }
      break;
    case 'Gt':
    case 'Lt':
      if (values.length !== 1) {
        errors.required(valuesPath(), "must be specified single value when `operator` is 'Lt' or 'Gt'");
      }
      break;
    default:
      errors.invalid(path.child('operator'), operator ?? '', 'not a valid selector operator');
  }
  check(key ?? '', path.child('key'), checkQualifiedName, errors);
  if (allowInvalidValues) return;
  for (const [index, value] of values.entries())
    check(value, valuesPath().index(index), checkLabelValue, errors);
}

/** Only the node's name is a field. */
function validateNodeField(
  { key, operator, values = [] }: NodeSelectorRequirement,
  path: FieldPath,
  errors: Errors,
): void {
  if (operator !== 'In' && operator !== 'NotIn') {
    errors.invalid(path.child('operator'), operator ?? '', 'not a valid selector operator');
  } else if (values.length !== 1) {
    errors.required(
      path.child('values'),
      "must be only one value when `operator` is 'In' or 'NotIn' for node field selector",
    );
  }
  if (key !== 'metadata.name') {
    errors.invalid(path.child('key'), key ?? '', 'not a valid field selector key');
    return;
  }
  for (const [index, value] of values.entries()) {
    check(value, path.child('values').index(index), checkDnsSubdomain, errors);
  }
}

function validateTerms(
  terms: readonly PodAffinityTerm[] | undefined,
  path: FieldPath,
  allowInvalidValues: boolean,
  errors: Errors,
): void {
  for (const [index, term] of (terms ?? []).entries()) {
    const termPath = path.child('requiredDuringSchedulingIgnoredDuringExecution').index(index);
    validatePodTerm(term, allowInvalidValues, termPath, errors);
  }
}

function validateWeighted(
  terms: readonly WeightedPodAffinityTerm[] | undefined,
  path: FieldPath,
  allowInvalidValues: boolean,
  errors: Errors,
): void {
  for (const [index, { weight, podAffinityTerm }] of (terms ?? []).entries()) {
    const termPath = path.child('preferredDuringSchedulingIgnoredDuringExecution').index(index);
    validateWeight(weight, termPath, errors);
    validatePodTerm(podAffinityTerm, allowInvalidValues, termPath.child('podAffinityTerm'), errors);
  }
}

function validateWeight(weight: number, path: FieldPath, errors: Errors): void {
  if (!(weight > 0 && weight <= 100)) {
    errors.invalid(path.child('weight'), weight ?? 0, 'must be in the range 1-100');
  }
}

function validatePodTerm(
  term: PodAffinityTerm,
  allowInvalidValues: boolean,
  path: FieldPath,
  errors: Errors,
): void {
  errors.push(
    ...validateLabelSelector(term.labelSelector, path.child('labelSelector'), { allowInvalidValues }),
    ...validateLabelSelector(term.namespaceSelector, path.child('namespaceSelector'), { allowInvalidValues }),
  );
  for (const name of term.namespaces ?? []) check(name, path.child('namespace'), checkDnsLabel, errors);
  validateLabelKeys(
    term.matchLabelKeys ?? [],
    term.mismatchLabelKeys ?? [],
    term.labelSelector,
    path,
    errors,
  );
  if (!term.topologyKey) errors.required(path.child('topologyKey'), 'can not be empty');
  check(term.topologyKey ?? '', path.child('topologyKey'), checkQualifiedName, errors);
}

/**
 * Keys whose values come from the pod. The strategy has already merged them into the selector, so a key that the author
 * listed there too occurs twice.
 */
export function validateLabelKeys(
  matched: readonly string[],
  mismatched: readonly string[],
  selector: LabelSelector | undefined,
  path: FieldPath,
  errors: Errors,
): void {
  validateKeyNames(matched, selector, path.child('matchLabelKeys'), errors);
  validateKeyNames(mismatched, selector, path.child('mismatchLabelKeys'), errors);
  if (selector != null && matched.length > 0) {
    const used = new Set(Object.keys(selector.matchLabels ?? {}));
    for (const { key } of selector.matchExpressions ?? []) {
      const index = matched.lastIndexOf(key);
      if (index >= 0 && used.has(key)) {
        errors.invalid(path.index(index), key, 'exists in both matchLabelKeys and labelSelector');
      }
      used.add(key);
    }
  }
  for (const [index, key] of matched.entries()) {
    if (mismatched.includes(key)) {
      errors.invalid(
        path.child('matchLabelKeys').index(index),
        key,
        'exists in both matchLabelKeys and mismatchLabelKeys',
      );
    }
  }
}

/** The rule from before the merge: none of the keys may be in the selector. */
function validateLegacyKeys(
  keys: readonly string[],
  selector: LabelSelector | undefined,
  path: FieldPath,
  errors: Errors,
): void {
  if (keys.length === 0) return;
  if (selector == null) errors.forbidden(path, 'must not be specified when labelSelector is not set');
  const used = new Set([
    ...Object.keys(selector?.matchLabels ?? {}),
    ...(selector?.matchExpressions ?? []).map(({ key }) => key),
  ]);
  for (const [index, key] of keys.entries()) {
    check(key, path.index(index), checkQualifiedName, errors);
    if (!used.has(key)) continue;
    errors.invalid(path.index(index), key, 'exists in both matchLabelKeys and labelSelector');
  }
}

function validateKeyNames(
  keys: readonly string[],
  selector: LabelSelector | undefined,
  path: FieldPath,
  errors: Errors,
): void {
  if (keys.length === 0) return;
  if (selector == null) {
    errors.forbidden(path, 'must not be specified when labelSelector is not set');
    return;
  }
  for (const [index, key] of keys.entries()) check(key, path.index(index), checkQualifiedName, errors);
}

export function validateSpreadConstraints(
  constraints: readonly TopologySpreadConstraint[],
  path: FieldPath,
  options: PodOptions,
  errors: Errors,
): void {
  const pairOf = ({ topologyKey, whenUnsatisfiable }: TopologySpreadConstraint) =>
    `{${topologyKey}, ${whenUnsatisfiable}}`;
  const last = new Map(constraints.map((constraint, index) => [pairOf(constraint), index]));
  for (const [index, constraint] of constraints.entries()) {
    const at = path.index(index);
    const { topologyKey, whenUnsatisfiable } = constraint;
    if (!(constraint.maxSkew > 0)) {
      errors.invalid(at.child('maxSkew'), constraint.maxSkew ?? 0, notPositiveMessage);
    }
    if (!topologyKey) errors.required(at.child('topologyKey'), 'can not be empty');
    if (!scheduleActions.includes(whenUnsatisfiable)) {
      errors.notSupported(at.child('whenUnsatisfiable'), whenUnsatisfiable ?? '', scheduleActions);
    }
    const pair = pairOf(constraint);
    if (last.get(pair)! > index) {
      errors.duplicate(at.child('{topologyKey, whenUnsatisfiable}'), pair);
    }
    validateMinDomains(constraint, at, errors);
    for (const policy of ['nodeAffinityPolicy', 'nodeTaintsPolicy'] as const) {
      const value = constraint[policy];
      if (value != null && !inclusionPolicies.includes(value)) {
        errors.notSupported(at.child(policy), value, inclusionPolicies);
      }
    }
    const { matchLabelKeys = [], labelSelector } = constraint;
    if (options.legacySpreadKeys) {
      validateLegacyKeys(matchLabelKeys, labelSelector, at.child('matchLabelKeys'), errors);
    } else validateLabelKeys(matchLabelKeys, [], labelSelector, at, errors);
    if (!options.invalidSpreadSelectors) {
      errors.push(...validateLabelSelector(constraint.labelSelector, at.child('labelSelector')));
    }
  }
}

const scheduleActions: readonly string[] = ['DoNotSchedule', 'ScheduleAnyway'];
const inclusionPolicies: readonly string[] = ['Honor', 'Ignore'];

function validateMinDomains(
  { minDomains, whenUnsatisfiable }: TopologySpreadConstraint,
  path: FieldPath,
  errors: Errors,
): void {
  if (minDomains == null) return;
  if (minDomains <= 0) errors.invalid(path.child('minDomains'), minDomains, notPositiveMessage);
  if (whenUnsatisfiable !== 'DoNotSchedule') {
    errors.invalid(
      path.child('minDomains'),
      minDomains,
      `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${whenUnsatisfiable}`,
    );
  }
}

export function validateTolerations(
  tolerations: readonly Toleration[],
  path: FieldPath,
  options: Pick<PodOptions, 'tolerationComparisons'>,
  errors: Errors,
): void {
  for (const [index, toleration] of tolerations.entries()) {
    const at = path.index(index);
    const { key = '', operator = '', effect = '', value = '' } = toleration;
    if (key !== '') check(key, at.child('key'), checkQualifiedName, errors);
    else if ((operator as string) !== 'Exists') {
      errors.invalid(
        at.child('operator'),
        operator,
        'operator must be Exists when `key` is empty, which means "match all values and all keys"',
      );
    }
    if (toleration.tolerationSeconds != null && (effect as string) !== 'NoExecute') {
      errors.invalid(
        at.child('effect'),
        effect,
        "effect must be 'NoExecute' when `tolerationSeconds` is set",
      );
    }
    validateOperator(operator, value, at, options, errors);
    if (effect !== '') validateTaintEffect(effect, at.child('effect'), errors);
  }
}

function validateOperator(
  operator: string,
  value: string,
  path: FieldPath,
  options: Pick<PodOptions, 'tolerationComparisons'>,
  errors: Errors,
): void {
  if (operator === '' || operator === 'Equal') {
    const messages = checkLabelValue(value);
    if (messages.length > 0) errors.invalid(path.child('operator'), convertedText(value), messages.join(';'));
  } else if (operator === 'Exists') {
    if (value !== '') {
      errors.invalid(
        path.child('operator'),
        convertedText(value),
        "value must be empty when `operator` is 'Exists'",
      );
    }
  } else if (operator !== 'Lt' && operator !== 'Gt') {
    errors.notSupported(path.child('operator'), operator, ['Equal', 'Exists']);
  } else if (!options.tolerationComparisons) {
    errors.notSupported(path.child('operator'), operator, ['Equal', 'Exists', 'Lt', 'Gt']);
  } else {
    if (value === '') errors.invalid(path.child('value'), value, 'must be non-empty');
    else if (!/^(0|-?[1-9]\d*)$/.test(value)) {
      errors.invalid(path.child('value'), value, 'must be a valid decimal integer in canonical form');
    }
    if (parseInt64(value) === undefined) {
      const problem = /^[+-]?\d+$/.test(value) ? 'value out of range' : 'invalid syntax';
      errors.invalid(path.child('value'), value, `strconv.ParseInt: parsing ${goQuote(value)}: ${problem}`);
    }
  }
}

const taintEffects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

export function validateTaintEffect(effect: string, path: FieldPath, errors: Errors): void {
  if (!taintEffects.includes(effect)) errors.notSupported(path, referencedText(effect), taintEffects);
}
