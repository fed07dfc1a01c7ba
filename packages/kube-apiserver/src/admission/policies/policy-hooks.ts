/** The bound policies, each with its bindings. */
import type { GroupResource } from '@coxswain/apimachinery';
import type { AdmissionAttributes, Awaitable } from '@coxswain/apiserver';
import type { ObjectReader } from '../../object-reader.ts';
import { nameOf, type AdmissionPolicy, type PolicyBinding } from './policy-objects.ts';

export interface PolicyHook<P extends AdmissionPolicy> {
  readonly policy: P;
  readonly bindings: readonly PolicyBinding[];
}

export interface PolicyResources {
  readonly policies: GroupResource;
  readonly bindings: GroupResource;
}

const group = 'admissionregistration.k8s.io';

const resourcesOf = (stem: string): PolicyResources => ({
  policies: { group, resource: `${stem}policies` },
  bindings: { group, resource: `${stem}policybindings` },
});

export const mutatingPolicies = resourcesOf('mutatingadmission');
export const validatingPolicies = resourcesOf('validatingadmission');

/** Kinds exempt from all policies: the policies themselves, and reviews on which the whole cluster depends. */
const exempt: Readonly<Record<string, readonly string[]>> = {
  [group]: [mutatingPolicies, validatingPolicies].flatMap(({ policies, bindings }) => [
    policies.resource,
    bindings.resource,
  ]),
  'authentication.k8s.io': ['selfsubjectreviews', 'tokenreviews'],
  'authorization.k8s.io': [
    'localsubjectaccessreviews',
    'selfsubjectaccessreviews',
    'selfsubjectrulesreviews',
    'subjectaccessreviews',
  ],
};

export const isExempt = ({ resource: { group: of, resource } }: AdmissionAttributes): boolean =>
  exempt[of]?.includes(resource) ?? false;

/** Most servers have no bindings, so this check is all that their writes cost. */
export const boundPolicies = (
  resources: PolicyResources,
  objects: ObjectReader,
): Awaitable<readonly PolicyBinding[]> => objects.list<PolicyBinding>(resources.bindings, '');

/** Bindings to missing policies are ignored. Policies are ordered by name. */
export async function hooksOf<P extends AdmissionPolicy>(
  bindings: readonly PolicyBinding[],
  { policies }: PolicyResources,
  objects: ObjectReader,
): Promise<readonly PolicyHook<P>[]> {
  const byPolicy = Map.groupBy(bindings, ({ spec }) => spec.policyName);
  const hooks: PolicyHook<P>[] = [];
  for (const [name, bound] of [...byPolicy].sort(([one], [other]) => (one < other ? -1 : 1))) {
    const found = objects.get<P>(policies, '', name);
    const policy = found instanceof Promise ? await found : found;
    if (policy === undefined) continue;
    hooks.push({ policy, bindings: bound.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1)) });
  }
  return hooks;
}
