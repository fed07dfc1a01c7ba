import type { LabelSelectorSpec } from '@coxswain/apimachinery/label-selector.ts';

/** A selector as text, or `<none>` if it is empty. */
export const formatSelector = (spec: LabelSelectorSpec | null | undefined): string =>
  selectorText(spec) || '<none>';

/** A selector in query syntax: `a=b,c in (d,e),!f`; empty text if it is empty. */
export function selectorText(spec: LabelSelectorSpec | null | undefined): string {
  const labels = Object.entries(spec?.matchLabels ?? {}).map(([key, value]) => ({
    key,
    text: `${key}=${value}`,
  }));
  const expressions = (spec?.matchExpressions ?? []).map(({ key, operator, values = [] }) => ({
    key,
    text: expressionText(key, operator, [...(values ?? [])].sort()),
  }));
  const all = [...labels, ...expressions].sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  return all.map(({ text }) => text).join(',');
}

function expressionText(key: string, operator: string, values: readonly string[]): string {
  if (operator === 'Exists') return key;
  if (operator === 'DoesNotExist') return `!${key}`;
  return `${key} ${operator === 'In' ? 'in' : 'notin'} (${values.join(',')})`;
}

/** The same for selectors that are maps. */
export const formatLabels = (labels: Readonly<Record<string, string>> | null | undefined): string =>
  formatSelector({ matchLabels: labels ?? {} });
