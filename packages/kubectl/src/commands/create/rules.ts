/** Builds policy rules from verbs and resources, for roles and cluster roles. */
import type { CommandContext } from '../../context.ts';
import type { ResourceMapper } from '../../mapping.ts';

export interface RuleResource {
  readonly resource: string;
  readonly group: string;
  readonly subresource: string;
}

const usualVerbs = [
  '*',
  'get',
  'delete',
  'list',
  'create',
  'update',
  'patch',
  'watch',
  'proxy',
  'deletecollection',
  'use',
  'bind',
  'escalate',
  'impersonate',
];

/** Verbs that exist only for certain resources. */
const specialVerbs: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  use: [
    ['policy', 'podsecuritypolicies'],
    ['extensions', 'podsecuritypolicies'],
  ],
  bind: [
    ['rbac.authorization.k8s.io', 'roles'],
    ['rbac.authorization.k8s.io', 'clusterroles'],
  ],
  escalate: [
    ['rbac.authorization.k8s.io', 'roles'],
    ['rbac.authorization.k8s.io', 'clusterroles'],
  ],
  impersonate: [
    ['', 'users'],
    ['', 'serviceaccounts'],
    ['', 'groups'],
    ['authentication.k8s.io', 'userextras'],
  ],
};

/** `*` replaces all others. */
export const readVerbs = (verbs: readonly string[]): string[] =>
  verbs.includes('*') ? ['*'] : [...new Set(verbs)];

/** `deployments.apps/scale` */
export function readResources(texts: readonly string[]): RuleResource[] {
  const found: RuleResource[] = [];
  for (const text of texts) {
    const slash = text.indexOf('/');
    const name = slash < 0 ? text : text.slice(0, slash);
    const dot = name.indexOf('.');
    const one = {
      resource: dot < 0 ? name : name.slice(0, dot),
      group: dot < 0 ? '' : name.slice(dot + 1),
      subresource: slash < 0 ? '' : text.slice(slash + 1),
    };
    if (text === '*') return [one];
    found.push(one);
  }
  return found;
}

export function checkVerbs(context: CommandContext, verbs: readonly string[]): void {
  if (verbs.length === 0) throw new Error('at least one verb must be specified');
  warnOfVerbs(context, verbs);
}

export function warnOfVerbs(context: CommandContext, verbs: readonly string[]): void {
  for (const verb of verbs) {
    if (!usualVerbs.includes(verb))
      context.printError(`Warning: '${verb}' is not a standard resource verb\n`);
  }
}

interface Resolved {
  readonly group: string;
  readonly resource: string;
  readonly failure?: Error;
}

async function resolve(mapper: ResourceMapper, { resource, group }: RuleResource): Promise<Resolved> {
  try {
    const mapping = await mapper.forResource(group === '' ? resource : `${resource}.${group}`);
    return { group: mapping.group, resource: mapping.resource };
  } catch (failure) {
    return { group, resource, failure: failure as Error };
  }
}

export async function checkResources(
  context: CommandContext,
  resources: readonly RuleResource[],
  verbs: readonly string[],
): Promise<void> {
  const mapper = await context.mapper();
  for (const one of resources) {
    if (one.resource === '') throw new Error('resource must be specified if apiGroup/subresource specified');
    if (one.resource === '*') return;
    const { group, resource, failure } = await resolve(mapper, one);
    let accepted = false;
    for (const verb of verbs) {
      const special = specialVerbs[verb];
      if (special === undefined) continue;
      accepted = special.some(([g, r]) => g === group && r === resource);
      if (!accepted) throw new Error(`can not perform '${verb}' on '${resource}' in group '${group}'`);
    }
    if (failure !== undefined && !accepted) throw failure;
  }
}

/** One rule per API group, sorted by group name. */
export async function policyRules(
  context: CommandContext,
  verbs: readonly string[],
  resources: readonly RuleResource[],
  resourceNames: readonly string[],
): Promise<Record<string, unknown>[]> {
  const mapper = await context.mapper();
  const byGroup = new Map<string, Set<string>>();
  for (const one of resources) {
    const { group, resource } = await resolve(mapper, one);
    const name = one.subresource === '' ? resource : `${resource}/${one.subresource}`;
    byGroup.set(group, (byGroup.get(group) ?? new Set()).add(name));
  }
  return [...byGroup.keys()].sort().map((group) => ({
    verbs,
    apiGroups: [group],
    resources: [...(byGroup.get(group) ?? [])],
    ...(resourceNames.length === 0 ? {} : { resourceNames: [...new Set(resourceNames)] }),
  }));
}
