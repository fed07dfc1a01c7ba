/**
 * The places of admission policies in the chain. Their expressions aren't evaluated yet; a bound policy that
 * would have a say counts as failing, so that its failurePolicy decides.
 */
import type { AdmissionAttributes, AdmissionPlugin } from '@coxswain/apiserver';
import type { KubeObject } from '@coxswain/apimachinery';
import type { LabelSelectorSpec } from '@coxswain/apimachinery/label-selector.ts';
import { on, refused } from '../attributes.ts';
import type { ObjectReader } from '../object-reader.ts';
import { isWanted } from '../rule-matching.ts';
import type { AdmissionRule } from '../rule-matching.ts';

interface MatchResources {
  readonly resourceRules?: readonly AdmissionRule[];
  readonly excludeResourceRules?: readonly AdmissionRule[];
  readonly namespaceSelector?: LabelSelectorSpec;
  readonly objectSelector?: LabelSelectorSpec;
}

interface Policy extends KubeObject {
  readonly spec?: { readonly failurePolicy?: string; readonly matchConstraints?: MatchResources };
}

interface PolicyBinding extends KubeObject {
  readonly spec?: { readonly policyName?: string; readonly matchResources?: MatchResources };
}

export const mutatingAdmissionPolicy = (objects: ObjectReader): AdmissionPlugin => ({
  name: 'MutatingAdmissionPolicy',
  handles: on('CREATE', 'UPDATE', 'CONNECT'),
  mutate: (attributes) => refuseUnevaluated(attributes, 'mutatingadmissionpolic', objects),
});

export const validatingAdmissionPolicy = (objects: ObjectReader): AdmissionPlugin => ({
  name: 'ValidatingAdmissionPolicy',
  handles: on('CREATE', 'UPDATE', 'DELETE', 'CONNECT'),
  validate: (attributes) => refuseUnevaluated(attributes, 'validatingadmissionpolic', objects),
});

const group = 'admissionregistration.k8s.io';

async function refuseUnevaluated(
  attributes: AdmissionAttributes,
  stem: string,
  objects: ObjectReader,
): Promise<void> {
  const bindings = await objects.list<PolicyBinding>({ group, resource: `${stem}ybindings` }, '');
  for (const { metadata, spec: binding } of bindings) {
    const policy = await objects.get<Policy>(
      { group, resource: `${stem}ies` },
      '',
      binding?.policyName ?? '',
    );
    if (policy === undefined || policy.spec?.failurePolicy === 'Ignore') continue;
    if (!(await matches(attributes, policy.spec?.matchConstraints, objects))) continue;
    if (binding?.matchResources && !(await matches(attributes, binding.matchResources, objects))) continue;
    throw refused(
      attributes,
      `policy '${policy.metadata.name}' with binding '${metadata.name}' denied request: ` +
        'evaluating admission policies is not implemented by this server',
    );
  }
}

const everyRule: AdmissionRule = {
  operations: ['*'],
  apiGroups: ['*'],
  apiVersions: ['*'],
  resources: ['*/*'],
};

async function matches(
  attributes: AdmissionAttributes,
  constraints: MatchResources | undefined,
  objects: ObjectReader,
): Promise<boolean> {
  const { resourceRules, excludeResourceRules = [], ...selectors } = constraints ?? {};
  const rules = resourceRules?.length ? resourceRules : [everyRule];
  if (!(await isWanted(attributes, { ...selectors, rules }, objects))) return false;
  return (
    !excludeResourceRules.length || !(await isWanted(attributes, { rules: excludeResourceRules }, objects))
  );
}
