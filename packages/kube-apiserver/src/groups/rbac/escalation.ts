/** Nobody may hand out rights that he doesn't have, unless he may `escalate` roles or `bind` them. */
import { aggregateText, forbidden, goQuote, notFound, semanticDeepEqual } from '@coxswain/apimachinery';
import type { ApiRequest, Strategy, UserInfo } from '@coxswain/apiserver';
import { mastersGroup } from '@coxswain/apiserver';
import type { AnyObject } from '../resource.ts';
import type { GrantedRule, Services } from '../services.ts';
import { ruleText, uncovered } from './rule-cover.ts';

const group = 'rbac.authorization.k8s.io';

interface RoleRef {
  readonly apiGroup?: string;
  readonly kind: string;
  readonly name: string;
}

type Begin = Pick<Strategy<AnyObject>, 'beginCreate' | 'beginUpdate'>;

export const roleStrategy = (services: Services): Begin => ({
  beginCreate: (object, request) => checkRole(object, request, services),
  beginUpdate: (object, old, request) =>
    semanticDeepEqual(object.rules, old.rules) &&
    semanticDeepEqual(object.aggregationRule, old.aggregationRule)
      ? undefined
      : checkRole(object, request, services),
});

export const bindingStrategy = (services: Services): Begin => ({
  beginCreate: (object, request) => checkBinding(object, request, services),
  beginUpdate: (object, old, request) =>
    semanticDeepEqual(object.subjects, old.subjects) && semanticDeepEqual(object.roleRef, old.roleRef)
      ? undefined
      : checkBinding(object, request, services),
});

const isMaster = ({ groups }: UserInfo): boolean => groups.includes(mastersGroup);

async function checkRole(role: AnyObject, request: ApiRequest, services: Services): Promise<undefined> {
  const { resource } = request.info;
  if (
    isMaster(request.user) ||
    (await mayDo(services, request, 'escalate', resource, role.metadata.name ?? ''))
  )
    return;
  const rules = (role.rules ?? []) as GrantedRule[];
  const everything: GrantedRule[] = [
    { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
    { verbs: ['*'], nonResourceURLs: ['*'] },
  ];
  const name = role.metadata.name ?? '';
  if (role.aggregationRule && !isCovered(everything, request, services)) {
    throw forbidden(
      { group, resource },
      name,
      'must have cluster-admin privileges to use the aggregationRule',
    );
  }
  refuseUncovered(rules, { group, resource }, name, request, services);
}

async function checkBinding(binding: AnyObject, request: ApiRequest, services: Services): Promise<undefined> {
  if (isMaster(request.user)) return;
  const { kind, name } = binding.roleRef as RoleRef;
  const resource = kind === 'Role' ? 'roles' : 'clusterroles';
  if (await mayDo(services, request, 'bind', resource, name)) return;
  const scope = kind === 'Role' ? request.namespace : '';
  const role = await services.objects.get<AnyObject>({ group, resource }, scope, name);
  if (role === undefined) throw notFound({ group, resource: resource.slice(0, -1) }, name);
  refuseUncovered(
    (role.rules ?? []) as GrantedRule[],
    { group, resource: request.info.resource },
    binding.metadata.name ?? '',
    request,
    services,
  );
}

async function mayDo(services: Services, request: ApiRequest, verb: string, resource: string, name: string) {
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
  });
  return decision.kind === 'allow';
}

const isCovered = (
  rules: readonly GrantedRule[],
  { user, namespace }: ApiRequest,
  services: Services,
): boolean => uncovered(services.rules.rulesOf(user, namespace).rules, rules).length === 0;

function refuseUncovered(
  rules: readonly GrantedRule[],
  resource: { readonly group: string; readonly resource: string },
  name: string,
  { user, namespace }: ApiRequest,
  services: Services,
): void {
  const own = services.rules.rulesOf(user, namespace);
  const missing = uncovered(own.rules, rules);
  if (missing.length === 0) return;
  const groups = user.groups.map((one) => goQuote(one)).join(' ');
  const resolution = own.problems.length === 0 ? '' : `; resolution errors: ${aggregateText(own.problems)}`;
  throw forbidden(
    resource,
    name,
    `user ${goQuote(user.name)} (groups=[${groups}]) is attempting to grant RBAC permissions not currently held:\n` +
      missing.map(ruleText).join('\n') +
      resolution,
  );
}
