/**
 * An empty selector meant no pods in policy/v1beta1 and means all of them in v1. What one version can't say is
 * told to the other by a requirement on a label that nobody has.
 */
import { semanticDeepEqual } from '@coxswain/apimachinery';
import { PodDisruptionBudget } from '@coxswain/api/policy/v1/pod-disruption-budget.ts';
import { PodDisruptionBudget as OldBudget } from '@coxswain/api/policy/v1beta1/pod-disruption-budget.ts';
import type { LabelSelector } from '@coxswain/api/meta/v1/label-selector.ts';
import { changing } from '../conversion.ts';
import type { AnyObject } from '../resource.ts';

const label = 'pdb.kubernetes.io/deprecated-v1beta1-empty-selector-match';
const empty: LabelSelector = {};
const noPods: LabelSelector = { matchExpressions: [{ key: label, operator: 'Exists' }] };
const allPods: LabelSelector = { matchExpressions: [{ key: label, operator: 'DoesNotExist' }] };

export const budgetConversion = changing(PodDisruptionBudget, OldBudget, {
  toStorage: (budget) =>
    exchangeSelector(budget, (selector) => {
      if (semanticDeepEqual(selector, empty)) return noPods;
      return semanticDeepEqual(selector, allPods) ? empty : withoutLabel(selector);
    }),
  fromStorage: (budget) =>
    exchangeSelector(budget, (selector) => {
      if (semanticDeepEqual(selector, noPods)) return empty;
      return semanticDeepEqual(selector, empty) ? allPods : selector;
    }),
});

function exchangeSelector(budget: AnyObject, exchange: (selector: LabelSelector) => LabelSelector): void {
  const { selector, ...spec } = (budget.spec ?? {}) as { readonly selector?: LabelSelector | null };
  if (selector != null) budget.spec = { ...spec, selector: exchange(selector) };
}

/** Users have no business with it. */
function withoutLabel(selector: LabelSelector): LabelSelector {
  const { matchExpressions, ...others } = selector;
  const kept = matchExpressions?.filter(({ key }) => key !== label);
  return kept?.length ? { ...others, matchExpressions: kept } : others;
}
