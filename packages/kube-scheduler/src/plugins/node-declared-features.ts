import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { retryOn } from '../framework/cluster-event.ts';
import { plugin } from '../framework/plugin.ts';
import { fits, unresolvable } from '../framework/verdict.ts';

const refused = unresolvable("node(s) didn't match Pod's required features");

/** What of a pod only nodes of newer kubelets know to do, by the name under which they declare it. KEP-5328. */
const features: Readonly<Record<string, (pod: Pod) => boolean>> = {
  RestartAllContainersOnContainerExits: ({ spec }) =>
    [...(spec?.containers ?? []), ...(spec?.initContainers ?? [])].some(({ restartPolicyRules }) =>
      restartPolicyRules?.some(({ action }) => action === 'RestartAllContainers'),
    ),
  UserNamespacesHostNetworkSupport: ({ spec }) => spec?.hostNetwork === true && spec.hostUsers === false,
};

const featuresOf = (pod: Pod): readonly string[] =>
  Object.entries(features).flatMap(([feature, isNeeded]) => (isNeeded(pod) ? [feature] : []));

/** Keeps pods from nodes that don't declare a feature that the pod needs. */
export const nodeDeclaredFeatures = plugin<readonly string[]>({
  name: 'NodeDeclaredFeatures',
  retryWhen: [retryOn('Node', ['add', 'declaredFeatures'])],
  preFilter({ pod }) {
    const state = featuresOf(pod);
    return state.length === 0 ? 'skip' : { state };
  },
  filter(_pod, { node }, needed) {
    const declared = node.status?.declaredFeatures ?? [];
    return needed.every((feature) => declared.includes(feature)) ? fits : refused;
  },
});
