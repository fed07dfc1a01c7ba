/** The user and the groups that a container's processes run as, by the security contexts of its pod. */
import type { Container } from '@coxswain/api/core/v1/container.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';

export interface User {
  readonly uid: number;
  readonly gid: number;
  /** Ascending, including `gid`. */
  readonly groups: readonly number[];
}

export const root: User = { uid: 0, gid: 0, groups: [0] };

/** Images are taken to run as root unless the pod says otherwise. */
export function userOf({ spec }: Pod, { securityContext }: Container): User {
  const ofPod = spec?.securityContext;
  const uid = Number(securityContext?.runAsUser ?? ofPod?.runAsUser ?? 0);
  const gid = Number(securityContext?.runAsGroup ?? ofPod?.runAsGroup ?? 0);
  const more = [ofPod?.fsGroup, ...(ofPod?.supplementalGroups ?? [])].flatMap((group) =>
    group === undefined || group === null ? [] : [Number(group)],
  );
  return { uid, gid, groups: [...new Set([gid, ...more])].sort((a, b) => a - b) };
}

/** As `/etc/passwd` and `/etc/group` of a container name it. */
export const nameOfId = (id: number): string => (id === 0 ? 'root' : String(id));
