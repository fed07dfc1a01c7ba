/** Pods that no selector can distinguish are evaluated once: those of a Deployment form one class. */
import type { LabelSelector, Labels } from '@coxswain/apimachinery';
import type { PolicyPod } from './policy-pod.ts';

export interface PodClass {
  readonly namespace: string;
  /** The labels of one pod; the others differ only in labels that no selector uses. */
  readonly labels: Labels;
  readonly pods: readonly PolicyPod[];
}

export type PodClasses = ReadonlyMap<string, readonly PodClass[]>;

/** Classes by namespace, for selectors that use these labels. */
export function podClasses(pods: Iterable<PolicyPod>, selectors: Iterable<LabelSelector>): PodClasses {
  const asked = new Set<string>();
  for (const { requirements } of selectors) for (const { key } of requirements) asked.add(key);
  const keys = [...asked].sort();
  const classes = new Map<string, Map<string, PodClass & { readonly pods: PolicyPod[] }>>();
  for (const pod of pods) {
    let inNamespace = classes.get(pod.namespace);
    if (inNamespace === undefined) classes.set(pod.namespace, (inNamespace = new Map()));
    // No label value contains a line break, and a label without a value differs from a missing one.
    const text = keys.map((key) => (Object.hasOwn(pod.labels, key) ? `=${pod.labels[key]}` : '')).join('\n');
    const found = inNamespace.get(text);
    if (found === undefined)
      inNamespace.set(text, { namespace: pod.namespace, labels: pod.labels, pods: [pod] });
    else found.pods.push(pod);
  }
  return new Map([...classes].map(([namespace, inIt]) => [namespace, [...inIt.values()]]));
}

export const podsMatching = (classes: readonly PodClass[], selector: LabelSelector): PolicyPod[] =>
  classes.flatMap(({ labels, pods }) => (selector.matches(labels) ? pods : []));
