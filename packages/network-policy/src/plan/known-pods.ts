/** What the rules depend on apart from the policies: the addresses and labels of pods, and the labels of namespaces. */
import { deepEqual, type KubeObject, type Labels } from '@coxswain/apimachinery';
import { policyPodOf, type PodObject, type PolicyPod } from './policy-pod.ts';

/** Each method returns whether something changed that rules may depend on. */
export class KnownPods {
  readonly #pods = new Map<string, PolicyPod>();
  readonly namespaces = new Map<string, Labels>();

  get pods(): Iterable<PolicyPod> {
    return this.#pods.values();
  }

  /** @param addresses reported before they are in the pod's status */
  note(pod: PodObject, addresses?: readonly string[]): boolean {
    const key = keyOf(pod);
    const before = this.#pods.get(key);
    const early = before?.uid === pod.metadata.uid && !pod.status?.podIP ? before?.addresses : undefined;
    const after = policyPodOf(pod, addresses ?? early);
    if (deepEqual(before, after)) return false;
    if (after === undefined) this.#pods.delete(key);
    else this.#pods.set(key, after);
    return true;
  }

  forget(pod: PodObject): boolean {
    const key = keyOf(pod);
    return this.#pods.get(key)?.uid === pod.metadata.uid && this.#pods.delete(key);
  }

  noteNamespace({ metadata: { name = '', labels = {} } }: KubeObject): boolean {
    if (deepEqual(this.namespaces.get(name), labels)) return false;
    this.namespaces.set(name, labels);
    return true;
  }

  forgetNamespace({ metadata: { name = '' } }: KubeObject): boolean {
    return this.namespaces.delete(name);
  }
}

const keyOf = ({ metadata: { namespace, name } }: PodObject): string => `${namespace}/${name}`;
