/** Determines whether a write matches the rules of a webhook or an admission policy, and in which version. */
import {
  internalError,
  labelSelectorFromSpec,
  notFound,
  StatusError,
  type GroupVersionKind,
  type GroupVersionResource,
  type KubeObject,
} from '@coxswain/apimachinery';
import type { LabelSelector, LabelSelectorSpec } from '@coxswain/apimachinery/label-selector.ts';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import type { AdmissionAttributes } from '@coxswain/apiserver';
import type { EquivalentResources } from './equivalent-resources.ts';
import { resources, type ObjectReader } from '../object-reader.ts';

export interface AdmissionRule {
  readonly operations?: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly apiVersions?: readonly string[];
  readonly resources?: readonly string[];
  readonly scope?: string;
  /** Only in policies. */
  readonly resourceNames?: readonly string[];
}

/** Common to webhooks and policies. */
export interface MatchCriteria {
  /** Nothing matches an empty list. */
  readonly rules: readonly AdmissionRule[];
  readonly excludeRules?: readonly AdmissionRule[] | undefined;
  readonly namespaceSelector?: LabelSelectorSpec | null | undefined;
  readonly objectSelector?: LabelSelectorSpec | null | undefined;
  /** `Exact` or `Equivalent`. */
  readonly matchPolicy?: string | undefined;
}

/** The resource and kind that a rule matched: those of the request, or their equivalents in another version. */
export interface MatchedRequest {
  readonly resource: GroupVersionResource;
  readonly kind: GroupVersionKind;
}

export interface MatchingParts {
  readonly objects: ObjectReader;
  readonly equivalents: EquivalentResources;
}

/**
 * Undefined when the write doesn't match. Synchronous when only rules and labels are checked.
 * @throws StatusError (also as a rejection) when a decisive selector cannot be evaluated
 */
export function matchRequest(
  attributes: AdmissionAttributes,
  criteria: MatchCriteria,
  parts: MatchingParts,
): MatchedRequest | undefined | Promise<MatchedRequest | undefined> {
  const { namespaceSelector, objectSelector, excludeRules = noRules } = criteria;
  // Rules are the cheapest check and exclude most writes; an invalid selector matters only if a rule matches.
  const matched = matchingRule(attributes, criteria.rules, criteria.matchPolicy, parts.equivalents);
  if (matched === undefined) return undefined;
  if (matchingRule(attributes, excludeRules, criteria.matchPolicy, parts.equivalents)) return undefined;
  const selectedObject = objectSelected(attributes, objectSelector);
  if (selectedObject === false) return undefined;
  const decide = (selectedNamespace: Selected): MatchedRequest | undefined => {
    if (selectedNamespace === false) return undefined;
    if (selectedNamespace !== true) throw selectedNamespace;
    if (selectedObject !== true) throw selectedObject;
    return matched;
  };
  const selectedNamespace = namespaceSelected(attributes, namespaceSelector, parts.objects);
  return selectedNamespace instanceof Promise ? selectedNamespace.then(decide) : decide(selectedNamespace);
}

/** A policy without rules matches everything. */
export const everyRule: AdmissionRule = {
  operations: ['*'],
  apiGroups: ['*'],
  apiVersions: ['*'],
  resources: ['*/*'],
};

/** The kinds that configure admission are exempt, so that nobody can lock himself out. */
const exemptKinds: ReadonlySet<string> = new Set([
  'ValidatingWebhookConfiguration',
  'MutatingWebhookConfiguration',
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionPolicyBinding',
  'MutatingAdmissionPolicy',
  'MutatingAdmissionPolicyBinding',
]);

export const isAdmissionConfiguration = ({ kind }: Pick<AdmissionAttributes, 'kind'>): boolean =>
  kind.group === 'admissionregistration.k8s.io' && exemptKinds.has(kind.kind);

const noRules: readonly AdmissionRule[] = [];

/** @throws StatusError 500 when the kind of an equivalent resource is unknown */
function matchingRule(
  attributes: AdmissionAttributes,
  rules: readonly AdmissionRule[],
  matchPolicy: string | undefined,
  equivalents: EquivalentResources,
): MatchedRequest | undefined {
  const { resource, kind, subresource } = attributes;
  for (const rule of rules) if (ruleMatches(rule, attributes, resource)) return { resource, kind };
  if (matchPolicy !== 'Equivalent' || rules.length === 0) return undefined;
  const others = equivalents.equivalentsOf(resource, subresource);
  if (others.length < 2) return undefined;
  for (const rule of rules) {
    for (const { resource: other, kind: otherKind } of others) {
      if (isSame(other, resource) || !ruleMatches(rule, attributes, other)) continue;
      const { group, version, kind: name } = otherKind;
      return { resource: other, kind: { group, version, kind: name } };
    }
  }
  return undefined;
}

const isSame = (a: GroupVersionResource, b: GroupVersionResource): boolean =>
  a.group === b.group && a.version === b.version && a.resource === b.resource;

function ruleMatches(
  rule: AdmissionRule,
  { operation, subresource, namespace, name }: AdmissionAttributes,
  resource: GroupVersionResource,
): boolean {
  return (
    includes(rule.operations, operation) &&
    includes(rule.apiGroups, resource.group) &&
    includes(rule.apiVersions, resource.version) &&
    (rule.resources ?? []).some((wanted) => resourceMatches(wanted, resource.resource, subresource)) &&
    scopeMatches(rule.scope, namespace, resource) &&
    (!rule.resourceNames?.length || rule.resourceNames.includes(name))
  );
}

const includes = (wanted: readonly string[] = [], value: string): boolean =>
  wanted.includes('*') || wanted.includes(value);

/** `pods`, `pods/log`, `pods/*`, `*\/scale`, `*` (no subresources), `*\/*`. */
function resourceMatches(wanted: string, resource: string, subresource: string): boolean {
  const slash = wanted.indexOf('/');
  const wantedResource = slash < 0 ? wanted : wanted.slice(0, slash);
  const wantedSubresource = slash < 0 ? '' : wanted.slice(slash + 1);
  return (
    (wantedResource === '*' || wantedResource === resource) &&
    (wantedSubresource === '*' || wantedSubresource === subresource)
  );
}

function scopeMatches(scope: string | undefined, namespace: string, resource: GroupVersionResource): boolean {
  if (scope === undefined || scope === '*') return true;
  // A Namespace is cluster-scoped although its requests have a namespace.
  const isNamespaced = namespace !== '' && !isNamespaceItself(resource);
  if (scope === 'Namespaced') return isNamespaced;
  return scope === 'Cluster' && !isNamespaced;
}

const isNamespaceItself = ({ group, version, resource }: GroupVersionResource): boolean =>
  resource === 'namespaces' && group === '' && version === 'v1';

/** Or the error of a selector that cannot be evaluated. */
type Selected = boolean | StatusError;

function objectSelected(
  { object, oldObject }: AdmissionAttributes,
  spec: LabelSelectorSpec | null | undefined,
): Selected {
  const selector = selectorOf(spec);
  if (selector instanceof StatusError) return selector;
  if (selector.everything) return true;
  // Options of a connection have no metadata.
  return [object, oldObject].some(
    (one) => one?.metadata !== undefined && selector.matches(one.metadata.labels ?? {}),
  );
}

function namespaceSelected(
  attributes: AdmissionAttributes,
  spec: LabelSelectorSpec | null | undefined,
  objects: ObjectReader,
): Selected | Promise<Selected> {
  const { namespace, object, resource, subresource, operation } = attributes;
  // Cluster-scoped objects always match.
  if (namespace === '' && resource.resource !== 'namespaces') return true;
  const selector = selectorOf(spec);
  if (selector instanceof StatusError) return selector;
  if (selector.everything) return true;
  const isWritten = operation === 'CREATE' || operation === 'UPDATE';
  if (resource.resource === 'namespaces' && subresource === '' && isWritten) {
    return selector.matches(object?.metadata.labels ?? {});
  }
  const decide = (found: KubeObject | undefined): Selected =>
    found === undefined
      ? notFound(resources.namespaces, namespace)
      : selector.matches(found.metadata.labels ?? {});
  const found = objects.get<KubeObject>(resources.namespaces, '', namespace);
  return found instanceof Promise ? found.then(decide) : decide(found);
}

/** Compiled selectors, keyed by the configuration's own object so that they are released with it. */
const compiled = new WeakMap<LabelSelectorSpec, LabelSelector | StatusError>();
const everything: LabelSelectorSpec = {};

/** An absent selector matches nothing; defaulting makes it an empty one, which matches everything. */
function selectorOf(spec: LabelSelectorSpec | null | undefined): LabelSelector | StatusError {
  const key = spec ?? everything;
  let selector = compiled.get(key);
  if (selector === undefined) {
    selector = compile(key);
    compiled.set(key, selector);
  }
  return selector;
}

function compile(spec: LabelSelectorSpec): LabelSelector | StatusError {
  try {
    return labelSelectorFromSpec(spec);
  } catch (failure) {
    return internalError(messageOf(failure));
  }
}
