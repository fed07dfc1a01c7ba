/** The names and ordinals of a StatefulSet's pods and claims. */

import type { KubeObject } from '@coxswain/apimachinery';
import type { PersistentVolumeClaim, Pod, StatefulSet, PodTemplateSpec } from '../objects.ts';
import { podFromTemplate } from '../pods/pod-control.ts';
import { revisionHashLabel } from '../history/revisions.ts';

export const statefulSetKind = { apiVersion: 'apps/v1', kind: 'StatefulSet' } as const;
export const podNameLabel = 'statefulset.kubernetes.io/pod-name';
const podIndexLabel = 'apps.kubernetes.io/pod-index';

/** `web-2` → web, 2; undefined for other names. */
function parsePodName({
  metadata,
}: KubeObject): { readonly set: string; readonly ordinal: number } | undefined {
  const match = /^(.*)-([0-9]+)$/.exec(metadata.name ?? '');
  if (match === null || Number(match[2]) >= 2 ** 31) return undefined;
  return { set: match[1]!, ordinal: Number(match[2]) };
}

export const ordinalOf = (pod: KubeObject): number => parsePodName(pod)?.ordinal ?? -1;
export const isMember = (set: StatefulSet, pod: KubeObject): boolean =>
  parsePodName(pod)?.set === set.metadata.name;
export const replicasOf = ({ spec }: StatefulSet): number => spec?.replicas ?? 1;
export const firstOrdinal = ({ spec }: StatefulSet): number => spec?.ordinals?.start ?? 0;

export function isInRange(set: StatefulSet, pod: KubeObject): boolean {
  const index = ordinalOf(pod) - firstOrdinal(set);
  return index >= 0 && index < replicasOf(set);
}

export const claimName = (set: StatefulSet, template: string, ordinal: number): string =>
  `${template}-${set.metadata.name}-${ordinal}`;

/** Returns the claims of one pod, by template name. */
export function claimsOf(set: StatefulSet, ordinal: number): Map<string, PersistentVolumeClaim> {
  const templates = (set.spec?.volumeClaimTemplates ?? []) as unknown as PersistentVolumeClaim[];
  return new Map(
    templates.map((template) => {
      const { name = '' } = template.metadata;
      const labels = { ...template.metadata.labels, ...set.spec?.selector?.matchLabels };
      const metadata = {
        ...template.metadata,
        name: claimName(set, name, ordinal),
        namespace: set.metadata.namespace ?? '',
        labels,
      };
      return [
        name,
        { ...template, apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata } as PersistentVolumeClaim,
      ];
    }),
  );
}

/** Has no phase, since it does not exist yet. */
export function newPod(set: StatefulSet, template: PodTemplateSpec, revision: string, ordinal: number): Pod {
  const name = `${set.metadata.name}-${ordinal}`;
  const pod = podFromTemplate(template, set, statefulSetKind, {
    name,
    generateName: `${set.metadata.name}-`,
  });
  const labels = { ...pod.metadata.labels, ...identityLabels(name, ordinal), [revisionHashLabel]: revision };
  const serviceName = set.spec?.serviceName;
  return withVolumes(set, {
    ...pod,
    metadata: { ...pod.metadata, labels },
    spec: { ...pod.spec!, hostname: name, ...(serviceName ? { subdomain: serviceName } : {}) },
  });
}

export const identityLabels = (name: string, ordinal: number): Record<string, string> => ({
  [podNameLabel]: name,
  [podIndexLabel]: String(ordinal),
});

export function hasIdentity(set: StatefulSet, pod: Pod): boolean {
  return isMember(set, pod) && pod.metadata.labels?.[podNameLabel] === pod.metadata.name;
}

export function hasVolumes(set: StatefulSet, pod: Pod): boolean {
  for (const [name, claim] of claimsOf(set, ordinalOf(pod))) {
    const volume = pod.spec?.volumes?.find((one) => one.name === name);
    if (volume?.persistentVolumeClaim?.claimName !== claim.metadata.name) return false;
  }
  return true;
}

/** Volumes of claim templates precede, and replace, those of the pod template. */
export function withVolumes(set: StatefulSet, pod: Pod): Pod {
  const claims = claimsOf(set, ordinalOf(pod));
  if (claims.size === 0) return pod;
  const own = [...claims].map(([name, claim]) => ({
    name,
    persistentVolumeClaim: { claimName: claim.metadata.name ?? '' },
  }));
  const others = (pod.spec?.volumes ?? []).filter((volume) => !claims.has(volume.name));
  return { ...pod, spec: { ...pod.spec!, volumes: [...own, ...others] } };
}
