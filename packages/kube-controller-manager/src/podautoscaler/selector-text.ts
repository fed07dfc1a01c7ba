/** Formats a selector as in upstream's events: like Go prints the struct. */
import type { LabelSelectorSpec } from '@coxswain/apimachinery';

export function selectorText(spec: unknown): string {
  if (spec === undefined || spec === null) return 'nil';
  const { matchLabels = {}, matchExpressions = [] } = spec as LabelSelectorSpec;
  const labels = Object.keys(matchLabels)
    .sort()
    .map((key) => `${key}: ${matchLabels[key]},`)
    .join('');
  const requirements = matchExpressions
    .map(
      ({ key, operator, values = [] }) =>
        `LabelSelectorRequirement{Key:${key},Operator:${operator},Values:[${values.join(' ')}],},`,
    )
    .join('');
  return `&LabelSelector{MatchLabels:map[string]string{${labels}},MatchExpressions:[]LabelSelectorRequirement{${requirements}},}`;
}
