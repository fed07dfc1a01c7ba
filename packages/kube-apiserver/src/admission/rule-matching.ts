/** Whether a write is one that a webhook or an admission policy asked to see. */
import { labelSelectorFromSpec } from '@coxswain/apimachinery';
import type { KubeObject } from '@coxswain/apimachinery';
import type { LabelSelectorSpec } from '@coxswain/apimachinery/label-selector.ts';
import type { AdmissionAttributes } from '@coxswain/apiserver';
import { resources } from './object-reader.ts';
import type { ObjectReader } from './object-reader.ts';

export interface AdmissionRule {
  readonly operations?: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly apiVersions?: readonly string[];
  readonly resources?: readonly string[];
  readonly scope?: string;
  readonly resourceNames?: readonly string[];
}

export interface MatchConditions {
  readonly rules: readonly AdmissionRule[];
  readonly namespaceSelector?: LabelSelectorSpec;
  readonly objectSelector?: LabelSelectorSpec;
}

export async function isWanted(
  attributes: AdmissionAttributes,
  conditions: MatchConditions,
  objects: ObjectReader,
): Promise<boolean> {
  if (isAdmissionConfiguration(attributes)) return false;
  if (!conditions.rules.some((rule) => ruleMatches(rule, attributes))) return false;
  if (!objectSelected(attributes, conditions.objectSelector)) return false;
  return namespaceSelected(attributes, conditions.namespaceSelector, objects);
}

/** Nobody can lock himself out of the configuration that does the locking. */
const isAdmissionConfiguration = ({ resource }: AdmissionAttributes): boolean =>
  resource.group === 'admissionregistration.k8s.io';

function ruleMatches(rule: AdmissionRule, attributes: AdmissionAttributes): boolean {
  const { operation, resource, subresource, namespace, name } = attributes;
  return (
    includes(rule.operations, operation) &&
    includes(rule.apiGroups, resource.group) &&
    includes(rule.apiVersions, resource.version) &&
    (rule.resources ?? []).some((wanted) => resourceMatches(wanted, resource.resource, subresource)) &&
    scopeMatches(rule.scope, namespace, resource.resource) &&
    (!rule.resourceNames?.length || rule.resourceNames.includes(name))
  );
}

const includes = (wanted: readonly string[] = [], value: string): boolean =>
  wanted.includes('*') || wanted.includes(value);

/** `pods`, `pods/log`, `pods/*`, `*\/scale`, `*` (no subresources), `*\/*`. */
function resourceMatches(wanted: string, resource: string, subresource: string): boolean {
  const [wantedResource, wantedSubresource = ''] = wanted.split('/');
  return (
    (wantedResource === '*' || wantedResource === resource) &&
    (wantedSubresource === '*' || wantedSubresource === subresource)
  );
}

function scopeMatches(scope: string | undefined, namespace: string, resource: string): boolean {
  if (scope === undefined || scope === '*') return true;
  // A namespace is cluster-scoped although its requests have a namespace.
  const isNamespaced = namespace !== '' && resource !== 'namespaces';
  return (scope === 'Namespaced') === isNamespaced;
}

function objectSelected(
  { object, oldObject }: AdmissionAttributes,
  spec: LabelSelectorSpec | undefined,
): boolean {
  if (isEmpty(spec)) return true;
  const selector = labelSelectorFromSpec(spec);
  return [object, oldObject].some((one) => one !== undefined && selector.matches(one.metadata.labels ?? {}));
}

async function namespaceSelected(
  { namespace, object, resource }: AdmissionAttributes,
  spec: LabelSelectorSpec | undefined,
  objects: ObjectReader,
): Promise<boolean> {
  if (isEmpty(spec)) return true;
  const found =
    resource.resource === 'namespaces' && resource.group === ''
      ? object
      : namespace === ''
        ? undefined
        : await objects.get<KubeObject>(resources.namespaces, '', namespace);
  // What is in no namespace is always selected.
  return found === undefined || labelSelectorFromSpec(spec).matches(found.metadata.labels ?? {});
}

const isEmpty = (spec: LabelSelectorSpec | undefined): boolean =>
  !Object.keys(spec?.matchLabels ?? {}).length && !spec?.matchExpressions?.length;
