/**
 * `matchLabelKeys` of affinity and topology spreading refer to the pod's own labels at creation, which are merged into
 * the selectors.
 */
import type { LabelSelector } from '@coxswain/api/meta/v1/label-selector.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';

type Labels = Readonly<Record<string, string>>;
type Operator = 'In' | 'NotIn';

interface Term {
  labelSelector?: LabelSelector;
  matchLabelKeys?: string[];
  mismatchLabelKeys?: string[];
}

/** @param spreads whether to apply it to topology spread constraints as well */
export function applyLabelKeys({ metadata, spec }: Pod, spreads: boolean): void {
  const labels = metadata.labels ?? {};
  const { podAffinity, podAntiAffinity } = spec.affinity ?? {};
  for (const affinity of [podAffinity, podAntiAffinity]) {
    for (const term of affinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [])
      applyToTerm(term, labels);
    for (const { podAffinityTerm } of affinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []) {
      applyToTerm(podAffinityTerm, labels);
    }
  }
  if (!spreads) return;
  for (const constraint of spec.topologySpreadConstraints ?? []) applyToTerm(constraint, labels);
}

/** A term without a selector matches nothing, and must remain so. */
function applyToTerm({ labelSelector, matchLabelKeys, mismatchLabelKeys }: Term, labels: Labels): void {
  if (labelSelector === undefined || labelSelector === null) return;
  extend(labelSelector, matchLabelKeys, 'In', labels);
  extend(labelSelector, mismatchLabelKeys, 'NotIn', labels);
}

function extend(
  selector: LabelSelector,
  keys: readonly string[] = [],
  operator: Operator,
  labels: Labels,
): void {
  for (const key of keys) {
    const value = labels[key];
    if (value === undefined) continue;
    selector.matchExpressions = [...(selector.matchExpressions ?? []), { key, operator, values: [value] }];
  }
}
