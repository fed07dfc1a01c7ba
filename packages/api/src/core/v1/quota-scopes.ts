/** Which pods a quota with scopes counts. */
import type { KubeObject } from '@coxswain/apimachinery';
import type { Pod } from './pod.ts';
import type { ResourceQuota } from './resource-quota.ts';
import { qosClassOf } from './quality-of-service.ts';

interface Scope {
  readonly scopeName: string;
  readonly operator: string;
  readonly values?: readonly string[];
}

/** Scopes select pods; other objects are counted only by quotas without any. */
export function scopesMatch({ spec }: ResourceQuota, resource: string, object: KubeObject): boolean {
  const scopes: Scope[] = [
    ...(spec.scopes ?? []).map((scopeName) => ({ scopeName, operator: 'Exists' })),
    ...((spec.scopeSelector?.matchExpressions ?? []) as Scope[]),
  ];
  if (scopes.length === 0) return true;
  return resource === 'pods' && scopes.every((scope) => podMatches(object as unknown as Pod, scope));
}

function podMatches(pod: Pod, scope: Scope): boolean {
  const { spec } = pod;
  switch (scope.scopeName) {
    case 'Terminating':
      return isBounded(spec);
    case 'NotTerminating':
      return !isBounded(spec);
    case 'BestEffort':
      return qosClassOf(pod) === 'BestEffort';
    case 'NotBestEffort':
      return qosClassOf(pod) !== 'BestEffort';
    case 'PriorityClass':
      return classMatches(spec.priorityClassName ?? '', scope);
    case 'CrossNamespacePodAffinity':
      return usesOtherNamespaces(spec.affinity);
    default:
      return false;
  }
}

const isBounded = ({ activeDeadlineSeconds }: Pod['spec']): boolean =>
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
