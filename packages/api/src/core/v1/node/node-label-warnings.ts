/** Labels of nodes that are not to be used any more, where something selects nodes by them. */

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

/** A warning for each of the labels that has one, with where it stands. */
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
