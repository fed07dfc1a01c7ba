/** Checks limited resources, which may be used only if a quota of the namespace covers them. */
import { compareQuantities, StatusError, zeroQuantity, type KubeObject } from '@coxswain/apimachinery';
import type { AdmissionAttributes } from '@coxswain/apiserver';
import type { Totals } from '@coxswain/api/core/v1/pod/pod-totals.ts';
import { scopesMatch } from '@coxswain/api/quota/quota-scopes.ts';
import type { ResourceQuota } from '@coxswain/api/core/v1/resource-quota.ts';
import { refused } from './attributes.ts';
import type { LimitedResource, LimitedScope } from './configuration/limited-resources.ts';

/** @param matching the quotas that count the object @throws StatusError when a limited resource isn't covered */
export function checkCovered(
  attributes: AdmissionAttributes,
  limited: readonly LimitedResource[],
  quotas: readonly ResourceQuota[],
  matching: readonly ResourceQuota[],
  added: Totals,
): void {
  if (limited.length === 0) return;
  const covered = new Set(matching.flatMap(({ status }) => Object.keys(status?.hard ?? {})));
  const uncovered = limitedNames(attributes, limited, added).filter((name) => !covered.has(name));
  if (uncovered.length > 0) {
    throw refused(attributes, `insufficient quota to consume: ${[...new Set(uncovered)].sort().join(',')}`);
  }
  checkScopes(attributes, limited, quotas);
}

function limitedNames(
  { resource: { group, resource } }: AdmissionAttributes,
  limited: readonly LimitedResource[],
  added: Totals,
): string[] {
  const own = limited.filter((one) => (one.apiGroup ?? '') === group && one.resource === resource);
  const used = [...added].filter(([, quantity]) => compareQuantities(quantity, zeroQuantity) > 0);
  return own.flatMap(({ matchContains = [] }) =>
    used.map(([name]) => name).filter((name) => matchContains.some((part) => name.includes(part))),
  );
}

function checkScopes(
  attributes: AdmissionAttributes,
  limited: readonly LimitedResource[],
  quotas: readonly ResourceQuota[],
): void {
  const { resource } = attributes.resource;
  if (resource !== 'pods') return;
  const object = attributes.object!;
  const matched = limited
    .flatMap(({ matchScopes = [] }) => matchScopes)
    .filter((scope) => isInScope(scope, object));
  const covered = new Set(
    quotas
      .flatMap(scopesOf)
      .filter((scope) => isInScope(scope, object))
      .map(({ scopeName }) => scopeName),
  );
  const uncovered = matched.filter(({ scopeName }) => !covered.has(scopeName));
  if (uncovered.length === 0) return;
  const text = uncovered.map(
    ({ scopeName, operator, values = [] }) => `{${scopeName} ${operator} [${values.join(' ')}]}`,
  );
  throw new StatusError(500, '', `insufficient quota to match these scopes: [${text.join(' ')}]`);
}

const scopesOf = ({ spec }: ResourceQuota): LimitedScope[] => [
  ...(spec.scopes ?? []).map((scopeName) => ({ scopeName, operator: 'Exists' })),
  ...((spec.scopeSelector?.matchExpressions ?? []) as LimitedScope[]),
];

const isInScope = (scope: LimitedScope, object: KubeObject): boolean =>
  scopesMatch(
    { spec: { scopeSelector: { matchExpressions: [scope] } } } as unknown as ResourceQuota,
    'pods',
    object,
  );
