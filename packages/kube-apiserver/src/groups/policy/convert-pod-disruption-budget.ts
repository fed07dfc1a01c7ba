/** Selectors of budgets that are empty, or that represent an empty one; see `empty-selector.ts` of the API. */
import { semanticDeepEqual } from '@coxswain/apimachinery';
import type { LabelSelector } from '@coxswain/api/meta/v1/label-selector.ts';
import { allPods, noPods, withoutEmptyMark } from '@coxswain/api/policy/empty-selector.ts';
import { PodDisruptionBudget } from '@coxswain/api/policy/v1/pod-disruption-budget.ts';
import { PodDisruptionBudget as OldBudget } from '@coxswain/api/policy/v1beta1.ts';
import { changing } from '../conversion.ts';
import type { AnyObject } from '../any-object.ts';

const empty: LabelSelector = {};

export const budgetConversion = changing(PodDisruptionBudget, OldBudget, {
  toStorage: (budget) =>
    exchangeSelector(budget, (selector) => {
      if (semanticDeepEqual(selector, empty)) return noPods;
      return semanticDeepEqual(selector, allPods) ? empty : withoutEmptyMark(selector);
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
