/**
 * An empty selector meant no pods in policy/v1beta1 and means all of them in v1. What one version can't say is
 * told to the other by a requirement on a label that nobody has.
 */
import { semanticDeepEqual } from '@coxswain/apimachinery';
import type { SpecObject } from '../meta/kind-object.ts';
import type { LabelSelector } from '../meta/v1/label-selector.ts';

const label = 'pdb.kubernetes.io/deprecated-v1beta1-empty-selector-match';

/** As v1 says it; v1beta1 has an empty selector for that. */
export const noPods: LabelSelector = { matchExpressions: [{ key: label, operator: 'Exists' }] };
/** As v1beta1 says it; v1 has an empty selector for that. */
export const allPods: LabelSelector = { matchExpressions: [{ key: label, operator: 'DoesNotExist' }] };

/** Users have no business with the label. */
export function withoutEmptyMark(selector: LabelSelector): LabelSelector {
  const { matchExpressions, ...others } = selector;
  if (!matchExpressions?.some(({ key }) => key === label)) return selector;
  const kept = matchExpressions.filter(({ key }) => key !== label);
  return kept.length > 0 ? { ...others, matchExpressions: kept } : others;
}

/** In v1, whatever was sent: the original does it whenever it converts a budget. */
export function stripEmptyMark({ spec }: SpecObject<{ selector?: LabelSelector | null }>): void {
  const selector = spec.selector;
  if (selector == null || semanticDeepEqual(selector, noPods)) return;
  spec.selector = withoutEmptyMark(selector);
}
