/**
 * The places of admission policies in the chain. Their expressions aren't evaluated yet; a bound policy that
 * would have a say counts as failing, so that its failurePolicy decides.
 */
import type { AdmissionAttributes, AdmissionPlugin, Awaitable } from '@coxswain/apiserver';
import type { GroupResource, KubeObject } from '@coxswain/apimachinery';
import type { LabelSelectorSpec } from '@coxswain/apimachinery/label-selector.ts';
import { on, refused } from '../attributes.ts';
import { everyRule, isAdmissionConfiguration, matchRequest } from '../rule-matching.ts';
import type { AdmissionRule, MatchingParts } from '../rule-matching.ts';

interface MatchResources {
  readonly resourceRules?: readonly AdmissionRule[];
  readonly excludeResourceRules?: readonly AdmissionRule[];
  readonly namespaceSelector?: LabelSelectorSpec;
  readonly objectSelector?: LabelSelectorSpec;
  readonly matchPolicy?: string;
}

interface Policy extends KubeObject {
  readonly spec?: { readonly failurePolicy?: string; readonly matchConstraints?: MatchResources };
}

interface PolicyBinding extends KubeObject {
  readonly spec?: { readonly policyName?: string; readonly matchResources?: MatchResources };
}

export const mutatingAdmissionPolicy = (parts: MatchingParts): AdmissionPlugin => ({
  name: 'MutatingAdmissionPolicy',
  handles: on('CREATE', 'UPDATE', 'CONNECT'),
  mutate: (attributes) => refuseUnevaluated(attributes, mutating, parts),
});

export const validatingAdmissionPolicy = (parts: MatchingParts): AdmissionPlugin => ({
  name: 'ValidatingAdmissionPolicy',
  handles: on('CREATE', 'UPDATE', 'DELETE', 'CONNECT'),
  validate: (attributes) => refuseUnevaluated(attributes, validating, parts),
});

const group = 'admissionregistration.k8s.io';

interface PolicyResources {
  readonly policies: GroupResource;
  readonly bindings: GroupResource;
}

const policiesOf = (stem: string): PolicyResources => ({
  policies: { group, resource: `${stem}ies` },
  bindings: { group, resource: `${stem}ybindings` },
});
const mutating = policiesOf('mutatingadmissionpolic');
const validating = policiesOf('validatingadmissionpolic');

/** Most servers have no policies: nothing is awaited then. */
function refuseUnevaluated(
  attributes: AdmissionAttributes,
  resources: PolicyResources,
  parts: MatchingParts,
): void | Promise<void> {
  if (isAdmissionConfiguration(attributes)) return;
  const { objects } = parts;
  const bindings = objects.list<PolicyBinding>(resources.bindings, '');
  if (bindings instanceof Promise || bindings.length > 0) {
    return refuseBound(attributes, resources.policies, bindings, parts);
  }
}

async function refuseBound(
  attributes: AdmissionAttributes,
  policies: GroupResource,
  bindings: Awaitable<readonly PolicyBinding[]>,
  parts: MatchingParts,
): Promise<void> {
  for (const { metadata, spec: binding } of await bindings) {
    const policy = await parts.objects.get<Policy>(policies, '', binding?.policyName ?? '');
    if (policy === undefined || policy.spec?.failurePolicy === 'Ignore') continue;
    if (!(await matches(attributes, policy.spec?.matchConstraints, parts))) continue;
    if (binding?.matchResources && !(await matches(attributes, binding.matchResources, parts))) continue;
    throw refused(
      attributes,
      `policy '${policy.metadata.name}' with binding '${metadata.name}' denied request: ` +
        'evaluating admission policies is not implemented by this server',
    );
  }
}

async function matches(
  attributes: AdmissionAttributes,
  constraints: MatchResources | undefined,
  parts: MatchingParts,
): Promise<boolean> {
  const { resourceRules, excludeResourceRules, ...selectors } = constraints ?? {};
  const rules = resourceRules?.length ? resourceRules : [everyRule];
  const criteria = { ...selectors, rules, excludeRules: excludeResourceRules };
  return (await matchRequest(attributes, criteria, parts)) !== undefined;
}
