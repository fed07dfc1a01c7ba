/** The source of a pod, and whether it is critical for the node or the cluster. */
import type { Pod } from '@coxswain/api/core/v1/pod.ts';

export const sourceAnnotation = 'kubernetes.io/config.source';
export const mirrorAnnotation = 'kubernetes.io/config.mirror';
export const hashAnnotation = 'kubernetes.io/config.hash';
export const seenAnnotation = 'kubernetes.io/config.seen';

/** The priority of `system-cluster-critical`; higher ones are critical, too. */
export const criticalPriorityMin = 2_000_000_000;

/** The pod comes from a file on the node. */
export const isStatic = ({ metadata }: Pod): boolean =>
  (metadata?.annotations?.[sourceAnnotation] ?? 'api') !== 'api';

/** The pod comes from a file on the node, or mirrors one that does. */
export const isOfNode = (pod: Pod): boolean =>
  isStatic(pod) || pod.metadata?.annotations?.[mirrorAnnotation] !== undefined;

/** Pods without which the node or the cluster does not work, including those from files on the node. */
export const isCritical = (pod: Pod): boolean =>
  isOfNode(pod) || (pod.spec?.priority ?? 0) >= criticalPriorityMin;
