/** Determines which pods a quota with scopes counts. */
import type { KubeObject } from '@coxswain/apimachinery';
import type { PersistentVolumeClaim } from '../core/v1/persistent-volume-claim.ts';
import type { Pod } from '../core/v1/pod.ts';
import type { ResourceQuota } from '../core/v1/resource-quota.ts';
import { statedQosClass } from '../core/v1/pod/quality-of-service.ts';

interface Scope {
  readonly scopeName: string;
  readonly operator: string;
  readonly values?: readonly string[];
}

/** Scopes select pods, and one selects volume claims; other objects are counted only by quotas without scopes. */
export function scopesMatch({ spec }: ResourceQuota, resource: string, object: KubeObject): boolean {
  const scopes: Scope[] = [
    ...(spec.scopes ?? []).map((scopeName) => ({ scopeName, operator: 'Exists' })),
    ...((spec.scopeSelector?.matchExpressions ?? []) as Scope[]),
  ];
  if (scopes.length === 0) return true;
  if (resource === 'persistentvolumeclaims') {
    return scopes.every((scope) => claimMatches(object as unknown as PersistentVolumeClaim, scope));
  }
  return resource === 'pods' && scopes.every((scope) => podMatches(object as unknown as Pod, scope));
}

/** By the class that a claim requests, has, or is about to get: one match suffices. */
function claimMatches({ spec, status }: PersistentVolumeClaim, scope: Scope): boolean {
  if (scope.scopeName !== 'VolumeAttributesClass') return false;
  const named = [
    spec.volumeAttributesClassName,
    status?.currentVolumeAttributesClassName,
    status?.modifyVolumeStatus?.targetVolumeAttributesClassName,
  ].filter((name) => Boolean(name)) as string[];
  return (named.length > 0 ? named : ['']).some((name) => classMatches(name, scope));
}

function podMatches(pod: Pod, scope: Scope): boolean {
  const { spec } = pod;
  switch (scope.scopeName) {
    case 'Terminating':
      return isBounded(spec);
    case 'NotTerminating':
      return !isBounded(spec);
    case 'BestEffort':
      return statedQosClass(pod) === 'BestEffort';
    case 'NotBestEffort':
      return statedQosClass(pod) !== 'BestEffort';
    case 'PriorityClass':
      return classMatches(spec.priorityClassName ?? '', scope);
    case 'CrossNamespacePodAffinity':
      return usesOtherNamespaces(spec.affinity);
    default:
      return false;
  }
}

export const isBounded = ({ activeDeadlineSeconds }: Pick<Pod['spec'], 'activeDeadlineSeconds'>): boolean =>
  activeDeadlineSeconds !== undefined && activeDeadlineSeconds >= 0;

function classMatches(name: string, { operator, values = [] }: Scope): boolean {
  switch (operator) {
    case 'In':
      return values.includes(name);
    case 'NotIn':
      return !values.includes(name);
    case 'DoesNotExist':
      return name === '';
    default:
      return name !== '';
  }
}

function usesOtherNamespaces(affinity: Pod['spec']['affinity']): boolean {
  return [affinity?.podAffinity, affinity?.podAntiAffinity].some((kind) =>
    [
      ...(kind?.requiredDuringSchedulingIgnoredDuringExecution ?? []),
      ...(kind?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(
        ({ podAffinityTerm }) => podAffinityTerm,
      ),
    ].some(({ namespaces, namespaceSelector }) => namespaces?.length || namespaceSelector !== undefined),
  );
}
