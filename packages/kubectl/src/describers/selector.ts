import { compareText } from '@coxswain/apimachinery/compare-text.ts';
import { labelSelectorFromSpec, type LabelSelectorSpec } from '@coxswain/apimachinery/label-selector.ts';

/** A selector as text, `<none>` if it is empty, or `<error>` if it is invalid. */
export function formatSelector(spec: LabelSelectorSpec | null | undefined): string {
  try {
    return selectorText(spec) || '<none>';
  } catch {
    return '<error>';
  }
}

/** A selector in query syntax: `a=b,c in (d,e),!f`; empty text if it is empty. @throws Error if it is invalid */
export const selectorText = (spec: LabelSelectorSpec | null | undefined): string =>
  labelSelectorFromSpec(spec).toString();

/** Labels, or a selector that is a map, which may be invalid. */
export const formatLabels = (labels: Readonly<Record<string, string>> | null | undefined): string =>
  Object.entries(labels ?? {})
    .map(([key, value]) => `${key}=${value}`)
    .sort(compareText)
    .join(',') || '<none>';
