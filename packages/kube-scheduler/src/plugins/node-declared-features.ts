import type { PodSpec } from '@coxswain/api/core/v1/pod-spec.ts';
import { retryOn } from '../framework/cluster-event.ts';
import { plugin } from '../framework/plugin.ts';
import { fits, unresolvable } from '../status.ts';

const refused = unresolvable("node(s) didn't match Pod's required features");

interface Feature {
  /** By which nodes declare it. */
  readonly name: string;
  isNeededBy(spec: PodSpec): boolean;
}

/** What of a pod only nodes of newer kubelets know to do. KEP-5328. */
const features: readonly Feature[] = [
  {
    name: 'RestartAllContainersOnContainerExits',
    isNeededBy: ({ containers, initContainers }) =>
      containers.some(restartsAll) || (initContainers?.some(restartsAll) ?? false),
  },
  {
    name: 'UserNamespacesHostNetworkSupport',
    isNeededBy: ({ hostNetwork, hostUsers }) => hostNetwork === true && hostUsers === false,
  },
];

const restartsAll = ({ restartPolicyRules }: PodSpec['containers'][number]): boolean =>
  restartPolicyRules?.some(({ action }) => action === 'RestartAllContainers') ?? false;

/** Keeps pods from nodes that don't declare a feature that the pod needs. */
export const nodeDeclaredFeatures = plugin<readonly string[]>({
  name: 'NodeDeclaredFeatures',
  retryWhen: [retryOn('Node', ['add', 'declaredFeatures'])],
  preFilter({ pod }) {
    // Asked for every pod, and needed by hardly any.
    if (!features.some(({ isNeededBy }) => isNeededBy(pod.spec!))) return 'skip';
    return { state: features.filter(({ isNeededBy }) => isNeededBy(pod.spec!)).map(({ name }) => name) };
  },
  filter(_pod, { node }, needed) {
    const declared = node.status?.declaredFeatures ?? [];
    return needed.every((feature) => declared.includes(feature)) ? fits : refused;
  },
});
