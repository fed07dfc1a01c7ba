import {
  labelSelectorFromSpec,
  nothingSelector,
  type Labels,
  type LabelSelector,
} from '@coxswain/apimachinery';
import type { PodAffinityTerm } from '@coxswain/api/core/v1/affinity.ts';

/** A compiled pod affinity or anti-affinity term. */
export interface AffinityTerm {
  /** Equal for equivalent terms. */
  readonly key: string;
  readonly topologyKey: string;
  /** 0 for required terms. */
  readonly weight: number;
  readonly selector: LabelSelector;
  readonly namespaces: ReadonlySet<string>;
  /** Selects nothing if the term has none. */
  readonly namespaceSelector: LabelSelector;
}

export function affinityTerm(term: PodAffinityTerm, ownNamespace: string, weight = 0): AffinityTerm {
  const named = term.namespaces ?? [];
  const selectsNamespaces = term.namespaceSelector !== undefined && term.namespaceSelector !== null;
  const namespaces = named.length === 0 && !selectsNamespaces ? [ownNamespace] : named;
  return {
    key: JSON.stringify([term.topologyKey, weight, term.labelSelector, namespaces, term.namespaceSelector]),
    topologyKey: term.topologyKey,
    weight,
    selector: labelSelectorFromSpec(term.labelSelector),
    namespaces: new Set(namespaces),
    namespaceSelector: selectsNamespaces ? labelSelectorFromSpec(term.namespaceSelector) : nothingSelector,
  };
}

export interface LabelledPod {
  readonly namespace: string;
  readonly labels: Labels;
}

/** Whether the term selects `pod`, whose namespace has `namespaceLabels`. */
export const termMatches = (
  term: AffinityTerm,
  pod: LabelledPod,
  namespaceLabels: (namespace: string) => Labels,
): boolean =>
  (term.namespaces.has(pod.namespace) ||
    (!term.namespaceSelector.nothing && term.namespaceSelector.matches(namespaceLabels(pod.namespace)))) &&
  term.selector.matches(pod.labels);
