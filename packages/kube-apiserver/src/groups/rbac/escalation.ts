/**
 * Prevents privilege escalation: nobody may grant permissions that he doesn't have, unless he may `escalate` roles or
 * `bind` them.
 */
import type * as rbac from '@coxswain/api/rbac/v1/index.ts';
import {
  aggregateText,
  forbidden,
  goQuote,
  notFound,
  semanticDeepEqual,
  StatusError,
  type GroupResource,
  type Live,
} from '@coxswain/apimachinery';
import { withinAllowance } from '@coxswain/apimachinery/work-allowance.ts';
import { mastersGroup, type ApiRequest, type Strategy, type UserInfo } from '@coxswain/apiserver';
import { checkName } from '@coxswain/apiserver/registry/keys.ts';
import type { AnyObject } from '../any-object.ts';
import type { Services } from '../services.ts';
import type { MissingRole, GrantedRule } from '../../authorization/rule-lister.ts';
import { ruleText, TooManyCombinations, uncovered } from './rule-cover.ts';

const group = 'rbac.authorization.k8s.io';

type RoleRef = Live<rbac.RoleRef>;

type Begin = Pick<Strategy<AnyObject>, 'beginCreate' | 'beginUpdate'>;

export const roleStrategy = (services: Services): Begin => ({
  beginCreate: (object, request) => checkRole(object, undefined, request, services),
  beginUpdate: (object, old, request) => checkRole(object, old, request, services),
});

export const bindingStrategy = (services: Services): Begin => ({
  beginCreate: (object, request) => checkBinding(object, request, services),
  beginUpdate: (object, old, request) =>
    changesOnlyForCollection(object, old) ? undefined : checkBinding(object, request, services),
});

/** The garbage collector may complete the deletion of objects that it could not have created. */
function changesOnlyForCollection(object: AnyObject, old: AnyObject): boolean {
  const { ownerReferences, finalizers, managedFields } = old.metadata;
  const metadata = { ...object.metadata, ownerReferences, finalizers, managedFields };
  return semanticDeepEqual({ ...object, metadata }, old);
}

const isMaster = ({ groups }: UserInfo): boolean => groups.includes(mastersGroup);

const everything: readonly GrantedRule[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
  { verbs: ['*'], nonResourceURLs: ['*'] },
];

async function checkRole(
  role: AnyObject,
  old: AnyObject | undefined,
  request: ApiRequest,
  services: Services,
): Promise<undefined> {
  const { resource, name: requestedName } = request.info;
  if (isMaster(request.user)) return;
  if (await mayDo(services, request, 'escalate', { group, resource }, requestedName)) return;
  if (old !== undefined && changesOnlyForCollection(role, old)) return;
  const name = role.metadata.name ?? '';
  refuseUncovered((role.rules ?? []) as GrantedRule[], name, request, services);
  const aggregates = [role, old].some((one) => one !== undefined && aggregatesOthers(one));
  if (aggregates && !isCovered(everything, request, services)) {
    const reason = 'must have cluster-admin privileges to use the aggregationRule';
    throw forbidden({ group, resource }, name, reason);
  }
}

function aggregatesOthers({ aggregationRule }: AnyObject): boolean {
  const { clusterRoleSelectors = [] } = (aggregationRule ?? {}) as { clusterRoleSelectors?: unknown[] };
  return clusterRoleSelectors.length > 0;
}

async function checkBinding(binding: AnyObject, request: ApiRequest, services: Services): Promise<undefined> {
  if (isMaster(request.user)) return;
  const roleRef = binding.roleRef as RoleRef;
  const resource = roleResources[roleRef.kind];
  if (resource === undefined) {
    throw new StatusError(500, '', `unsupported role reference kind: ${goQuote(roleRef.kind)}`);
  }
  const { apiGroup: referredGroup = '', name } = roleRef;
  if (await mayDo(services, request, 'bind', { group: referredGroup, resource }, name)) return;
  const rules = await rulesOf(resource, name, request, services);
  refuseUncovered(rules, binding.metadata.name ?? '', request, services);
}

const roleResources: Readonly<Record<string, MissingRole['resource']>> = {
  Role: 'roles',
  ClusterRole: 'clusterroles',
};

async function rulesOf(
  resource: MissingRole['resource'],
  name: string,
  request: ApiRequest,
  services: Services,
): Promise<readonly GrantedRule[]> {
  const namespace = resource === 'roles' ? request.namespace : undefined;
  checkName(name, namespace);
  const role = await services.objects.get<AnyObject>({ group, resource }, namespace ?? '', name);
  if (role === undefined) throw missingRole(name, request);
  return (role.rules ?? []) as GrantedRule[];
}

/** The error names the request's resource. */
const missingRole = (name: string, { info }: ApiRequest): StatusError =>
  notFound({ group, resource: info.resource }, name);

async function mayDo(
  services: Services,
  request: ApiRequest,
  verb: string,
  { group, resource }: GroupResource,
  name: string,
) {
  const decision = await services.authorizer.decide({
    user: request.user,
    verb,
    namespace: request.namespace,
    group,
    version: '*',
    resource,
    subresource: '',
    name,
    isResourceRequest: true,
    path: '',
    observer: request.observer,
  });
  return decision.kind === 'allow';
}

const isCovered = (
  rules: readonly GrantedRule[],
  { user, namespace }: ApiRequest,
  services: Services,
): boolean => uncovered(services.rules.rulesOf(user, namespace).rules, rules).length === 0;

/** @throws StatusError, AllowanceSpent */
function missingRules(
  held: readonly GrantedRule[],
  wanted: readonly GrantedRule[],
  name: string,
  { allowance, info }: ApiRequest,
): readonly GrantedRule[] {
  try {
    return withinAllowance(allowance, () => uncovered(held, wanted));
  } catch (error) {
    if (!(error instanceof TooManyCombinations)) throw error;
    const reason = 'the rules stand for more combinations of verbs and resources than can be checked';
    throw forbidden({ group, resource: info.resource }, name, reason);
  }
}

function refuseUncovered(
  rules: readonly GrantedRule[],
  name: string,
  request: ApiRequest,
  services: Services,
): void {
  const { user, namespace, info } = request;
  const own = services.rules.rulesOf(user, namespace);
  const missing = missingRules(own.rules, rules, name, request);
  if (missing.length === 0) return;
  const groups = user.groups.map((one) => goQuote(one)).join(' ');
  const problems = own.missing.map((role) => missingRole(role.name, request).message);
  const resolution = problems.length === 0 ? '' : `; resolution errors: [${aggregateText(problems)}]`;
  throw forbidden(
    { group, resource: info.resource },
    name,
    `user ${goQuote(user.name)} (groups=[${groups}]) is attempting to grant RBAC permissions not currently held:\n` +
      missing.map(ruleText).join('\n') +
      resolution,
  );
}
