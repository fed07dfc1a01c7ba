/** Warns about deprecated node labels in selectors of nodes. */

import type { FieldPath } from '@coxswain/apimachinery';
import type { LabelSelector } from '../../../meta/v1/label-selector.ts';
import { deprecatedLabel } from './deprecated-labels.ts';
import type { NodeSelectorTerm } from '../node-selector.ts';

export const nodeTermWarnings = ({ matchExpressions }: NodeSelectorTerm, path: FieldPath): string[] =>
  expressionWarnings(matchExpressions ?? [], path);

export const nodeSelectorWarnings = (
  selector: LabelSelector | null | undefined,
  path: FieldPath,
): string[] => [
  ...expressionWarnings(selector?.matchExpressions ?? [], path),
  ...labelWarnings(Object.keys(selector?.matchLabels ?? {}), (label) => path.child('matchLabels', label)),
];

/** A warning with the path for each deprecated label. */
export const labelWarnings = (
  labels: readonly string[],
  placeOf: (label: string, index: number) => FieldPath,
): string[] =>
  labels.flatMap((label, index) => {
    const message = deprecatedLabel(label);
    return message === undefined ? [] : [`${placeOf(label, index)}: ${message}`];
  });

const expressionWarnings = (expressions: readonly { readonly key: string }[], path: FieldPath): string[] =>
  expressions.flatMap(({ key }, index) => {
    const message = deprecatedLabel(key);
    const at = path.child('matchExpressions').index(index).child('key');
    return message === undefined ? [] : [`${at}: ${key} is ${message}`];
  });
