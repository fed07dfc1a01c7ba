import type { PodSpec } from '@coxswain/api/core/v1/pod-spec.ts';
import { retryOn } from '../framework/cluster-event.ts';
import { plugin } from '../framework/plugin.ts';
import { fits, unresolvable } from '../status.ts';

const refused = unresolvable("node(s) didn't match Pod's required features");

interface Feature {
  /** The name under which nodes declare it. */
  readonly name: string;
  isNeededBy(spec: PodSpec): boolean;
}

/** Features of pods that only newer kubelets support. KEP-5328. */
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

/** Keeps pods off nodes that don't declare a feature that they need. */
export const nodeDeclaredFeatures = plugin<readonly string[]>({
  name: 'NodeDeclaredFeatures',
  retryWhen: [retryOn('Node', ['add', 'declaredFeatures'])],
  preFilter({ pod }) {
    // Checked for every pod but rarely needed.
    if (!features.some(({ isNeededBy }) => isNeededBy(pod.spec!))) return 'skip';
    return { state: features.filter(({ isNeededBy }) => isNeededBy(pod.spec!)).map(({ name }) => name) };
  },
  filter(_pod, { node }, needed) {
    const declared = node.status?.declaredFeatures ?? [];
    return needed.every((feature) => declared.includes(feature)) ? fits : refused;
  },
});
