/** Validates the node affinity that a profile adds to every pod, as upstream does when it compiles it. */
import type { NodeAffinity } from '@coxswain/api/core/v1/affinity.ts';
import type { NodeSelectorRequirement, NodeSelectorTerm } from '@coxswain/api/core/v1/node-selector.ts';
import { invalidError, notSupportedError, type FieldError } from '@coxswain/apimachinery/field-error.ts';
import type { FieldPath } from '@coxswain/apimachinery/field-path.ts';
import { requirementErrors } from '@coxswain/apimachinery/label-selector.ts';
import { selectorOperators } from '@coxswain/api/core/v1/pod/node-matching.ts';

export function validateAddedAffinity(
  affinity: NodeAffinity | undefined,
  path: FieldPath,
): readonly FieldError[] {
  const terms = affinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  const preferred = affinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
  const requiredPath = path.child('requiredDuringSchedulingIgnoredDuringExecution', 'nodeSelectorTerms');
  const preferredPath = path.child('preferredDuringSchedulingIgnoredDuringExecution');
  return [
    ...terms.flatMap((term, index) => termErrors(term, requiredPath.index(index))),
    ...preferred.flatMap(({ preference }, index) => termErrors(preference, preferredPath.index(index))),
  ];
}

const termErrors = (
  { matchExpressions, matchFields }: NodeSelectorTerm,
  path: FieldPath,
): readonly FieldError[] => [
  ...(matchExpressions ?? []).flatMap((one, index) =>
    expressionErrors(one, path.child('matchExpressions').index(index)),
  ),
  ...(matchFields ?? []).flatMap((one, index) => fieldErrors(one, path.child('matchFields').index(index))),
];

function expressionErrors(
  { key, operator, values }: NodeSelectorRequirement,
  path: FieldPath,
): readonly FieldError[] {
  const known = selectorOperators[operator];
  if (known === undefined)
    return [notSupportedError(path.child('operator'), operator, Object.keys(selectorOperators))];
  return requirementErrors(key, known, values ?? [], path);
}

/** Fields can only be compared with a single value. */
function fieldErrors({ operator, values }: NodeSelectorRequirement, path: FieldPath): readonly FieldError[] {
  const operators = ['In', 'NotIn'];
  if (!operators.includes(operator)) return [notSupportedError(path.child('operator'), operator, operators)];
  return values?.length === 1
    ? []
    : [invalidError(path.child('values'), values ?? null, 'must have one element')];
}
