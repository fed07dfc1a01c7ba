import type { Node } from '../objects.ts';

/** A node that is not ready and still mounts a volume is forced to give it up after this time. */
export const maxWaitForUnmountMs = 6 * 60_000;

const outOfServiceTaint = 'node.kubernetes.io/out-of-service';

/**
 * Whether a volume that no pod needs can be detached from the node: it is not mounted, or the node has been given up.
 */
export function mayDetach(node: Node | undefined, isInUse: boolean, askedForMs: number): boolean {
  if (!isInUse) return true;
  if (node?.spec?.taints?.some(({ key }) => key === outOfServiceTaint)) return true;
  const isReady = node?.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True');
  return !isReady && askedForMs >= maxWaitForUnmountMs;
}
