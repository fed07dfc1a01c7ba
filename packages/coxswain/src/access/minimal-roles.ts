/** Computes the smallest roles under which the requests in an audit log would have been allowed. */
import { compareText } from '@coxswain/apimachinery/compare-text.ts';
import type { PolicyRule } from '@coxswain/apiserver/authorization/rbac/objects.ts';

/** The fields of an audit.k8s.io/v1 Event that identify the request and who sent it. */
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
  /** Empty for the whole cluster. */
  readonly namespace: string;
  readonly rules: readonly PolicyRule[];
}

export interface MinimalOptions {
  /** Considers only requests of this user. */
  readonly user?: string;
  /** Treats refused requests as wanted, too. */
  readonly withRefused?: boolean;
  /** Grants access to the named objects instead of to all objects of a resource. */
  readonly byName?: boolean;
  /** Grants cluster-wide what was done in a single namespace. */
  readonly allNamespaces?: boolean;
  /**
   * Even then, requests that a service account only made in its own namespace (for its lease or its Secret) stay
   * namespaced.
   */
  readonly ownNamespace?: boolean;
}

interface Need {
  readonly user: string;
  readonly namespace: string;
  /** Everything in a rule except its verbs, as text; there is one rule per key. */
  readonly key: string;
  readonly verb: string;
}

/** Sorted by user, then cluster scope before namespaces; rules and their entries are sorted as well. */
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
    .sort((a, b) => compareText(a.user, b.user) || compareText(a.namespace, b.namespace));
}

/** Moves each need to the scope in which it is to be allowed. */
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

/** The namespace of a service account; undefined for other users. */
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
    // Applying or updating an object that doesn't exist creates it, and the server then also authorizes that verb.
    if (objectRef?.resource !== undefined && code === 201 && verb !== 'create')
      yield { ...of, key: resourceKey(objectRef, 'create', options), verb: 'create' };
  }
}

/** A Namespace is not itself namespaced, although requests for it carry a namespace. */
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
  // The name isn't known yet when a create is authorized.
  const names = byName && name && verb !== 'create' ? { resourceNames: [name] } : {};
  return JSON.stringify({ apiGroups: [apiGroup], resources: [whole], ...names });
}

/** Merges rules that differ in a single list: first resources of a group with the same verbs, then names. */
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
  return [...byRest.values()].sort((a, b) => compareText(JSON.stringify(a), JSON.stringify(b)));
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
