/**
 * An empty selector meant no pods in policy/v1beta1 and means all pods in v1. What a version can't express is
 * represented by a requirement on a label that no pod has.
 */
import { semanticDeepEqual } from '@coxswain/apimachinery';
import type { SpecObject } from '../meta/kind-object.ts';
import type { LabelSelector } from '../meta/v1/label-selector.ts';

const label = 'pdb.kubernetes.io/deprecated-v1beta1-empty-selector-match';

/** In v1; v1beta1 has an empty selector for it. */
export const noPods: LabelSelector = { matchExpressions: [{ key: label, operator: 'Exists' }] };
/** In v1beta1; v1 has an empty selector for it. */
export const allPods: LabelSelector = { matchExpressions: [{ key: label, operator: 'DoesNotExist' }] };

/** The label is hidden from users. */
export function withoutEmptyMark(selector: LabelSelector): LabelSelector {
  const { matchExpressions, ...others } = selector;
  if (!matchExpressions?.some(({ key }) => key === label)) return selector;
  const kept = matchExpressions.filter(({ key }) => key !== label);
  return kept.length > 0 ? { ...others, matchExpressions: kept } : others;
}

/** In v1, whatever was sent: upstream does it whenever it converts a budget. */
export function stripEmptyMark({ spec }: SpecObject<{ selector?: LabelSelector | null }>): void {
  const selector = spec.selector;
  if (selector == null || semanticDeepEqual(selector, noPods)) return;
  spec.selector = withoutEmptyMark(selector);
}
