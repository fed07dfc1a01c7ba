/** Whether a pod may stand on a node, as far as the node itself decides. */

import { labelSelectorOf, nothingSelector } from '@coxswain/apimachinery';
import type { Requirement, SelectorOperator } from '@coxswain/apimachinery';
import type { Node, Pod } from '../objects.ts';

type PodSpec = NonNullable<Pod['spec']>;
export type Toleration = NonNullable<PodSpec['tolerations']>[number];
export type Taint = NonNullable<NonNullable<Node['spec']>['taints']>[number];
type NodeSelector = NonNullable<
  NonNullable<
    NonNullable<PodSpec['affinity']>['nodeAffinity']
  >['requiredDuringSchedulingIgnoredDuringExecution']
>;
type Expression = NonNullable<NodeSelector['nodeSelectorTerms'][number]['matchExpressions']>[number];

export function matchesNode(spec: PodSpec, node: Node): boolean {
  const { labels = {}, name = '' } = node.metadata;
  for (const [key, value] of Object.entries(spec.nodeSelector ?? {})) if (labels[key] !== value) return false;
  const required = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  if (!required) return true;
  return (required.nodeSelectorTerms ?? []).some(({ matchExpressions, matchFields }) => {
    if (!matchExpressions?.length && !matchFields?.length) return false;
    return (
      selectorOf(matchExpressions).matches(labels) &&
      selectorOf(matchFields).matches({ 'metadata.name': name })
    );
  });
}

export const tolerates = (tolerations: readonly Toleration[] | undefined, taint: Taint): boolean =>
  tolerations?.some((toleration) => isFor(toleration, taint)) ?? false;

function isFor({ key, operator, value, effect }: Toleration, taint: Taint): boolean {
  if (effect && effect !== taint.effect) return false;
  if (key && key !== taint.key) return false;
  return operator === 'Exists' || (value ?? '') === (taint.value ?? '');
}

const operators: Readonly<Record<string, SelectorOperator>> = {
  In: 'in',
  NotIn: 'notin',
  Exists: 'exists',
  DoesNotExist: '!',
  Gt: 'gt',
  Lt: 'lt',
};

function selectorOf(expressions: readonly Expression[] | null | undefined) {
  const requirements: Requirement[] = [];
  for (const { key, operator, values } of expressions ?? []) {
    const known = operators[operator];
    if (known === undefined) return nothingSelector;
    requirements.push({ key, operator: known, values: values ?? [] });
  }
  return labelSelectorOf(requirements);
}
