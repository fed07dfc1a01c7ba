import {
  checkDnsLabel,
  checkDnsSubdomain,
  semanticDeepEqual,
  type FieldError,
  type FieldPath,
} from '@coxswain/apimachinery';
import { check, pathOf, Errors } from '../meta/checks.ts';
import { goStruct } from '../meta/go-struct.ts';
import type { StatusObject } from '../meta/kind-object.ts';
import { subdomainName, validateObjectMeta } from '../meta/object-meta-validation.ts';
import { mandatoryFlowSchemaSpecs } from './mandatory-specs.ts';
import {
  FlowSchemaSpec,
  type NonResourcePolicyRule,
  type PolicyRulesWithSubjects,
  type ResourcePolicyRule,
  type Subject,
} from './v1/flow-schema-spec.ts';
import { FlowDistinguisherMethod } from './v1/flow-distinguisher-method.ts';

export interface ConditionsStatus {
  conditions?: { type?: string }[];
}

type Schema = StatusObject<FlowSchemaSpec, ConditionsStatus>;

const specPath = pathOf('spec');
const precedenceMax = 10_000;
const methods = ['ByNamespace', 'ByUser'];
const verbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'proxy', 'update', 'watch'];

/** The generic rules compare metadata with the stored object. */
export function validateFlowSchema({ metadata, spec, status }: Schema): FieldError[] {
  const errors = new Errors();
  validateObjectMeta(metadata, { namespaced: false, name: subdomainName }, errors);
  const {
    matchingPrecedence: precedence = 0,
    distinguisherMethod: method,
    priorityLevelConfiguration,
  } = spec;
  const path = specPath.child('matchingPrecedence');
  if (precedence <= 0) errors.invalid(path, precedence, 'must be a positive value');
  if (precedence > precedenceMax) {
    errors.invalid(path, precedence, `must not be greater than ${precedenceMax}`);
  }
  if (precedence === 1 && metadata.name !== 'exempt') {
    const detail = "only the schema named 'exempt' may have matchingPrecedence 1";
    errors.invalid(path, precedence, detail);
  }
  if (method != null && !methods.includes(method.type)) {
    const printed = goStruct(FlowDistinguisherMethod, method);
    errors.notSupported(specPath.child('distinguisherMethod', 'type'), printed, methods);
  }
  const levelPath = specPath.child('priorityLevelConfiguration', 'name');
  const level = priorityLevelConfiguration?.name;
  if (level) check(level, levelPath, checkDnsSubdomain, errors);
  else errors.required(levelPath, 'must reference a priority level');
  for (const [index, rule] of (spec.rules ?? []).entries()) {
    validateRules(rule, specPath.child('rules').index(index), errors);
  }
  validateMandatory(metadata.name ?? '', spec, errors);
  errors.push(...validateConditionTypes(status));
  return errors;
}

/** The specs of the mandatory schemas are fixed. */
function validateMandatory(name: string, spec: FlowSchemaSpec, errors: Errors): void {
  const fixed = mandatoryFlowSchemaSpecs.get(name);
  if (fixed === undefined || semanticDeepEqual(spec, fixed)) return;
  const printed = goStruct(FlowSchemaSpec, spec);
  errors.invalid(specPath, printed, `spec of '${name}' must equal the fixed value`);
}

export function validateFlowStatus({ status }: { status: ConditionsStatus }): FieldError[] {
  return validateConditionTypes(status);
}

/** For both kinds of flow control. */
export function validateConditionTypes(status: ConditionsStatus | undefined): Errors {
  const errors = new Errors();
  const seen = new Set<string>();
  for (const [index, { type = '' }] of (status?.conditions ?? []).entries()) {
    const path = pathOf('status', 'conditions').index(index).child('type');
    if (seen.has(type)) errors.duplicate(path, type);
    seen.add(type);
    if (type === '') errors.required(path);
  }
  return errors;
}

function validateRules(rules: PolicyRulesWithSubjects, path: FieldPath, errors: Errors): void {
  const subjects = rules.subjects ?? [];
  const resourceRules = rules.resourceRules ?? [];
  const nonResourceRules = rules.nonResourceRules ?? [];
  for (const [index, subject] of subjects.entries()) {
    validateSubject(subject, path.child('subjects').index(index), errors);
  }
  if (subjects.length === 0) {
    errors.required(path.child('subjects'), 'subjects must contain at least one value');
  }
  if (resourceRules.length === 0 && nonResourceRules.length === 0) {
    const detail = 'at least one of resourceRules and nonResourceRules has to be non-empty';
    errors.required(path, detail);
  }
  for (const [index, rule] of resourceRules.entries()) {
    validateResourceRule(rule, path.child('resourceRules').index(index), errors);
  }
  for (const [index, rule] of nonResourceRules.entries()) {
    validateNonResourceRule(rule, path.child('nonResourceRules').index(index), errors);
  }
}

const members = { ServiceAccount: 'serviceAccount', User: 'user', Group: 'group' } as const;
const memberOrder = ['ServiceAccount', 'User', 'Group'] as const;

function validateSubject(subject: Subject, path: FieldPath, errors: Errors): void {
  const kind = subject.kind as (typeof memberOrder)[number];
  if (!memberOrder.includes(kind)) {
    errors.notSupported(path.child('kind'), subject.kind ?? '', ['Group', 'ServiceAccount', 'User']);
    return;
  }
  const member = members[kind];
  const at = path.child(member);
  const value = subject[member];
  if (value == null) errors.required(at, `${member} is required when subject kind is '${kind}'`);
  else {
    if (!value.name) errors.required(at.child('name'));
    else if (kind === 'ServiceAccount' && value.name !== '*') {
      check(value.name, at.child('name'), checkDnsSubdomain, errors);
    }
    if (kind === 'ServiceAccount') {
      const namespace = subject.serviceAccount!.namespace;
      if (namespace) check(namespace, at.child('namespace'), checkDnsLabel, errors);
      else {
        errors.required(at.child('namespace'), 'must specify namespace for service account');
      }
    }
  }
  for (const other of memberOrder) {
    if (other === kind || subject[members[other]] == null) continue;
    const detail = `${members[other]} is forbidden when subject kind is not '${other}'`;
    errors.forbidden(path.child(members[other]), detail);
  }
}

function validateVerbs(given: readonly string[], path: FieldPath, errors: Errors): void {
  if (given.length === 0) errors.required(path, 'verbs must contain at least one value');
  else if (given.includes('*')) {
    if (given.length > 1) {
      errors.invalid(path, given, "if '*' is present, must not specify other verbs");
    }
  } else if (!given.every((verb) => verbs.includes(verb))) {
    errors.notSupported(path, given, verbs);
  }
}

function validateNonResourceRule(rule: NonResourcePolicyRule, path: FieldPath, errors: Errors): void {
  validateVerbs(rule.verbs ?? [], path.child('verbs'), errors);
  const urls = rule.nonResourceURLs ?? [];
  const at = path.child('nonResourceURLs');
  if (urls.length === 0) {
    errors.required(at, 'nonResourceURLs must contain at least one value');
  } else if (urls.includes('*')) {
    if (urls.length > 1) {
      const detail = "if '*' is present, must not specify other non-resource URLs";
      errors.invalid(at, urls, detail);
    }
  } else {
    for (const [index, url] of urls.entries()) {
      const problem = urlProblem(url);
      if (problem !== undefined) errors.invalid(at.index(index), url, problem);
    }
  }
}

function urlProblem(url: string): string | undefined {
  if (url === '') return 'must not be empty';
  if (url === '/') return undefined;
  if (!url.startsWith('/')) return 'must start with slash';
  if (url.includes(' ')) return 'must not contain white-space';
  if (url.includes('//')) return 'must not contain double slash';
  const stars = url.split('*').length - 1;
  const isSuffix = stars === 0 || (stars === 1 && url.endsWith('/*'));
  return isSuffix ? undefined : 'wildcard can only do suffix matching';
}

function validateResourceRule(rule: ResourcePolicyRule, path: FieldPath, errors: Errors): void {
  validateVerbs(rule.verbs ?? [], path.child('verbs'), errors);
  const listed = (name: 'apiGroups' | 'resources', one: string, others: string): void => {
    const values = rule[name] ?? [];
    if (values.length === 0) {
      errors.required(path.child(name), `resource rules must supply at least one ${one}`);
    } else if (values.length > 1 && values.includes('*')) {
      const detail = `if '*' is present, must not specify other ${others}`;
      errors.invalid(path.child(name), values, detail);
    }
  };
  listed('apiGroups', 'api group', 'api groups');
  listed('resources', 'resource', 'resources');
  const namespaces = rule.namespaces ?? [];
  const at = path.child('namespaces');
  if (namespaces.length === 0 && !rule.clusterScope) {
    const detail = 'resource rules that are not cluster scoped must supply at least one namespace';
    errors.required(at, detail);
  } else if (namespaces.includes('*')) {
    if (namespaces.length > 1) {
      errors.invalid(at, namespaces, "if '*' is present, must not specify other namespaces");
    }
  } else {
    for (const [index, namespace] of namespaces.entries()) {
      for (const message of checkDnsLabel(namespace)) {
        const detail = `each member of this list must be '*' or a DNS-1123 label; ${message}`;
        errors.invalid(at.index(index), namespace, detail);
      }
    }
  }
}
