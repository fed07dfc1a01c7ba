import {
  labelSelectorFromSpec,
  labelSelectorOf,
  labelSelectorOfSet,
  type LabelSelector,
  type Requirement,
  type SelectorOperator,
} from '@coxswain/apimachinery';
import type { NodeSelector, NodeSelectorRequirement, NodeSelectorTerm } from '../node-selector.ts';
import type { Pod } from '../pod.ts';

/** The part of a node that selectors examine. */
export interface NamedNode {
  readonly metadata?: {
    readonly name?: string | undefined;
    readonly labels?: Readonly<Record<string, string>> | undefined;
  };
}

/** A condition on a node. */
export type NodeMatcher = (node: NamedNode) => boolean;

/** The requirements of a pod's `spec.nodeSelector` and required node affinity; undefined without any. */
export function requiredNodeMatcher({ spec }: Pick<Pod, 'spec'>): NodeMatcher | undefined {
  const labels = spec?.nodeSelector;
  const required = spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  const byLabels =
    labels === undefined || Object.keys(labels).length === 0 ? undefined : labelSelectorOfSet(labels);
  if (byLabels === undefined && !required) return undefined;
  const byTerms = required ? nodeSelectorMatcher(required) : () => true;
  return (node) => (byLabels === undefined || byLabels.matches(node.metadata?.labels)) && byTerms(node);
}

/**
 * The same requirements as text, `accelerator=gpu,zone in (a,b)`; terms of an affinity are joined with ` or `. Empty
 * without any.
 */
export function requiredNodeText({ spec }: Pick<Pod, 'spec'>): string {
  const required = spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  const labels = labelSelectorOfSet(spec?.nodeSelector ?? {}).toString();
  const terms = (required?.nodeSelectorTerms ?? []).map(({ matchExpressions = [], matchFields = [] }) =>
    selectorOf([...matchExpressions, ...matchFields]).toString(),
  );
  return [labels, terms.join(' or ')].filter((text) => text !== '').join(',');
}

/** At least one term must match. */
export function nodeSelectorMatcher(selector: NodeSelector): NodeMatcher {
  const terms = (selector.nodeSelectorTerms ?? []).map(nodeTermMatcher);
  return (node) => terms.some((matches) => matches(node));
}

/** All requirements of a term must match; a term without any matches nothing. */
export function nodeTermMatcher(term: NodeSelectorTerm): NodeMatcher {
  const expressions = term.matchExpressions ?? [];
  const fields = term.matchFields ?? [];
  if (expressions.length === 0 && fields.length === 0) return () => false;
  const byLabels = selectorOf(expressions);
  const byFields = selectorOf(fields);
  return (node) =>
    byLabels.matches(node.metadata?.labels) &&
    byFields.matches({ 'metadata.name': node.metadata?.name ?? '' });
}

/** The operators of node selectors, as those of label selectors. */
export const selectorOperators: Readonly<Record<string, SelectorOperator>> = {
  In: 'in',
  NotIn: 'notin',
  Exists: 'exists',
  DoesNotExist: '!',
  Gt: 'gt',
  Lt: 'lt',
};

/** The API server has validated the requirements; an invalid one matches nothing. */
function selectorOf(requirements: readonly NodeSelectorRequirement[]): LabelSelector {
  const compiled: Requirement[] = [];
  for (const { key, operator, values } of requirements) {
    const known = selectorOperators[operator];
    if (known === undefined) return labelSelectorFromSpec(undefined);
    compiled.push({ key, operator: known, values: values ?? [] });
  }
  return labelSelectorOf(compiled);
}
