/** The labels and annotations by which a kubelet recognizes its pods in the runtime. */
import type { Container } from '@coxswain/api/core/v1/container.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { containerHash } from './container-hash.ts';

export const podNameLabel = 'io.kubernetes.pod.name';
const podNamespaceLabel = 'io.kubernetes.pod.namespace';
export const podUidLabel = 'io.kubernetes.pod.uid';
export const containerNameLabel = 'io.kubernetes.container.name';
export const hashAnnotation = 'io.kubernetes.container.hash';
export const restartCountAnnotation = 'io.kubernetes.container.restartCount';
export const terminationMessagePathAnnotation = 'io.kubernetes.container.terminationMessagePath';
export const terminationMessagePolicyAnnotation = 'io.kubernetes.container.terminationMessagePolicy';
const deletionGracePeriodAnnotation = 'io.kubernetes.pod.deletionGracePeriod';
const terminationGracePeriodAnnotation = 'io.kubernetes.pod.terminationGracePeriod';
const preStopAnnotation = 'io.kubernetes.container.preStopHandler';
const portsAnnotation = 'io.kubernetes.container.ports';

type Labels = Record<string, string>;

const ownerLabels = ({ metadata }: Pod): Labels => ({
  [podNameLabel]: metadata?.name ?? '',
  [podNamespaceLabel]: metadata?.namespace ?? '',
  [podUidLabel]: metadata?.uid ?? '',
});

/** Includes the pod's own labels; the kubelet's take precedence. */
export const sandboxLabels = (pod: Pod): Labels => ({ ...pod.metadata?.labels, ...ownerLabels(pod) });

export const containerLabels = (pod: Pod, container: Container): Labels => ({
  ...ownerLabels(pod),
  [containerNameLabel]: container.name,
});

export function containerAnnotations(pod: Pod, container: Container, restarts: number): Labels {
  const { metadata, spec } = pod;
  const annotations: Labels = {
    [hashAnnotation]: containerHash(container),
    [restartCountAnnotation]: String(restarts),
    [terminationMessagePathAnnotation]: container.terminationMessagePath ?? '',
    [terminationMessagePolicyAnnotation]: container.terminationMessagePolicy ?? '',
  };
  const deletion = metadata?.deletionGracePeriodSeconds;
  if (deletion !== undefined && deletion !== null)
    annotations[deletionGracePeriodAnnotation] = String(deletion);
  const termination = spec?.terminationGracePeriodSeconds;
  if (termination !== undefined && termination !== null)
    annotations[terminationGracePeriodAnnotation] = String(termination);
  if (container.lifecycle?.preStop)
    annotations[preStopAnnotation] = JSON.stringify(container.lifecycle.preStop);
  if (container.ports?.length) annotations[portsAnnotation] = JSON.stringify(container.ports);
  return annotations;
}
