/** The smallest roles under which the requests of an audit log would have been allowed. */
import type { PolicyRule } from '@coxswain/apiserver/authorization/rbac/objects.ts';

/** The members of an audit.k8s.io/v1 Event that tell who asked for what. */
export interface SeenRequest {
  readonly stage?: string;
  readonly verb?: string;
  readonly requestURI?: string;
  readonly user?: { readonly username?: string };
  readonly impersonatedUser?: { readonly username?: string };
  readonly objectRef?: {
    readonly resource?: string;
    readonly subresource?: string;
    readonly apiGroup?: string;
    readonly namespace?: string;
    readonly name?: string;
  };
  readonly responseStatus?: { readonly code?: number };
}

export interface RoleNeeds {
  readonly user: string;
  /** Empty: for the whole cluster. */
  readonly namespace: string;
  readonly rules: readonly PolicyRule[];
}

export interface MinimalOptions {
  /** Only of this user. */
  readonly user?: string;
  /** Also what was refused, as what was wanted. */
  readonly withRefused?: boolean;
  /** Objects by their names, not all of a resource. */
  readonly byName?: boolean;
  /** For the whole cluster what was done in one namespace. */
  readonly allNamespaces?: boolean;
  /** Even so, what a service account did in its own namespace and in no other stays there: its lease, its Secret. */
  readonly ownNamespace?: boolean;
}

interface Need {
  readonly user: string;
  readonly namespace: string;
  /** What a rule says besides its verbs, as text; one rule for each. */
  readonly key: string;
  readonly verb: string;
}

/** By user, the cluster's first, then by namespace; rules and words sorted. */
export function minimalRoles(
  requests: Iterable<SeenRequest>,
  options: MinimalOptions = {},
): readonly RoleNeeds[] {
  const verbsByRole = new Map<string, Map<string, Set<string>>>();
  for (const { user, namespace, key, verb } of spread([...needsIn(requests, options)], options)) {
    const role = JSON.stringify([user, namespace]);
    const rules = verbsByRole.get(role) ?? new Map<string, Set<string>>();
    verbsByRole.set(role, rules);
    rules.set(key, (rules.get(key) ?? new Set()).add(verb));
  }
  return [...verbsByRole]
    .map(([role, rules]) => {
      const [user = '', namespace = ''] = JSON.parse(role) as string[];
      return { user, namespace, rules: joinedRules(rules) };
    })
    .sort((a, b) => compare(a.user, b.user) || compare(a.namespace, b.namespace));
}

/** The needs where they are to be allowed. */
function spread(
  needs: readonly Need[],
  { allNamespaces = false, ownNamespace = false }: MinimalOptions,
): readonly Need[] {
  if (!allNamespaces) return needs;
  const isOwn = ({ user, namespace }: Need) => namespace !== '' && namespace === accountNamespace(user);
  const textOf = ({ user, key, verb }: Need) => JSON.stringify([user, key, verb]);
  const elsewhere = new Set(needs.filter((need) => !isOwn(need)).map(textOf));
  return needs.map((need) =>
    ownNamespace && isOwn(need) && !elsewhere.has(textOf(need)) ? need : { ...need, namespace: '' },
  );
}

/** Undefined for users who are no service accounts. */
const accountNamespace = (user: string): string | undefined =>
  /^system:serviceaccount:([^:]+):/.exec(user)?.[1];

function* needsIn(requests: Iterable<SeenRequest>, options: MinimalOptions): Generator<Need> {
  for (const request of requests) {
    const { stage, verb = '', responseStatus, objectRef } = request;
    if (stage !== undefined && stage !== 'ResponseComplete' && stage !== 'ResponseStarted') continue;
    const code = responseStatus?.code;
    if (code === 401 || (code === 403 && !options.withRefused)) continue;
    const user = request.impersonatedUser?.username ?? request.user?.username ?? '';
    if (user === '' || verb === '' || (options.user !== undefined && user !== options.user)) continue;
    const key = objectRef?.resource === undefined ? pathKey(request) : resourceKey(objectRef, verb, options);
    const of = { user, namespace: namespaceOf(objectRef) };
    yield { ...of, key, verb };
    // An apply or an update of what is not there makes it, for which the server asks about that verb, too.
    if (objectRef?.resource !== undefined && code === 201 && verb !== 'create')
      yield { ...of, key: resourceKey(objectRef, 'create', options), verb: 'create' };
  }
}

/** A namespace itself is in none, although its requests have it. */
const namespaceOf = (ref: SeenRequest['objectRef']): string =>
  ref?.resource === 'namespaces' && !ref.apiGroup ? '' : (ref?.namespace ?? '');

const pathKey = ({ requestURI = '' }: SeenRequest): string =>
  JSON.stringify({ nonResourceURLs: [requestURI.split('?', 1)[0]] });

function resourceKey(
  { apiGroup = '', resource = '', subresource, name }: NonNullable<SeenRequest['objectRef']>,
  verb: string,
  { byName = false }: MinimalOptions,
): string {
  const whole = subresource ? `${resource}/${subresource}` : resource;
  // A name isn't known yet to whoever authorizes a create.
  const names = byName && name && verb !== 'create' ? { resourceNames: [name] } : {};
  return JSON.stringify({ apiGroups: [apiGroup], resources: [whole], ...names });
}

/** Rules that differ in one list only become one: resources of a group under the same verbs, then names. */
function joinedRules(rules: ReadonlyMap<string, ReadonlySet<string>>): readonly PolicyRule[] {
  const byRest = new Map<string, Required<Pick<PolicyRule, 'verbs'>> & PolicyRule>();
  for (const [key, verbs] of rules) {
    const rule = JSON.parse(key) as PolicyRule;
    const sorted = [...verbs].sort();
    const rest = JSON.stringify([
      rule.apiGroups,
      rule.resourceNames === undefined ? '' : rule.resources,
      rule.nonResourceURLs !== undefined,
      sorted,
    ]);
    const before = byRest.get(rest);
    byRest.set(rest, { ...(before === undefined ? rule : union(before, rule)), verbs: sorted });
  }
  return [...byRest.values()].sort((a, b) => compare(JSON.stringify(a), JSON.stringify(b)));
}

function union(a: PolicyRule, b: PolicyRule): PolicyRule {
  const both = (one: readonly string[] = [], other: readonly string[] = []) =>
    [...new Set([...one, ...other])].sort();
  return {
    ...(a.apiGroups && { apiGroups: a.apiGroups }),
    ...(a.resources && { resources: both(a.resources, b.resources) }),
    ...(a.resourceNames && { resourceNames: both(a.resourceNames, b.resourceNames) }),
    ...(a.nonResourceURLs && { nonResourceURLs: both(a.nonResourceURLs, b.nonResourceURLs) }),
  };
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
