/** A selector as the original's events print it: as Go prints the structure. */
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
