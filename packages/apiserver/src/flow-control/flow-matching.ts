/** Matches requests to flow schemas by user and request. */
import type {
  FlowSchemaSpec,
  NonResourcePolicyRule,
  ResourcePolicyRule,
  Subject,
} from '@coxswain/api/flowcontrol/v1/flow-schema.ts';
import type { RequestInfo } from '../request-info.ts';
import type { UserInfo } from '../user.ts';

/** The rules of a schema that apply to one user. */
export interface CoveredRequests {
  readonly resourceRules: readonly ResourcePolicyRule[];
  readonly nonResourceRules: readonly NonResourcePolicyRule[];
}

export const belongsTo = (spec: FlowSchemaSpec, info: RequestInfo, user: UserInfo): boolean =>
  covers(coveredFor(spec, user), info);

/** The rules with a subject that matches the user; only these need to be checked for each of the user's requests. */
export function coveredFor(spec: FlowSchemaSpec, user: UserInfo): CoveredRequests {
  const rules = (spec.rules ?? []).filter(({ subjects }) =>
    (subjects ?? []).some((subject) => isSubject(subject, user)),
  );
  return {
    resourceRules: rules.flatMap(({ resourceRules }) => resourceRules ?? []),
    nonResourceRules: rules.flatMap(({ nonResourceRules }) => nonResourceRules ?? []),
  };
}

/** Whether requests of all users, or of all authenticated ones, may match. */
export const isForEveryone = ({ rules }: FlowSchemaSpec): boolean =>
  (rules ?? []).some(({ subjects }) =>
    (subjects ?? []).some(
      ({ user, group }) => user?.name === '*' || (group !== undefined && groupsOfEveryone.has(group.name)),
    ),
  );

const groupsOfEveryone: ReadonlySet<string> = new Set([
  '*',
  'system:authenticated',
  'system:unauthenticated',
]);

export const covers = ({ resourceRules, nonResourceRules }: CoveredRequests, info: RequestInfo): boolean =>
  info.isResourceRequest
    ? resourceRules.some((rule) => coversResource(rule, info))
    : nonResourceRules.some((rule) => coversPath(rule, info));

function isSubject({ kind, user, group, serviceAccount }: Subject, { name, groups }: UserInfo): boolean {
  if (kind === 'User') return user?.name === '*' || user?.name === name;
  if (kind === 'Group') return group !== undefined && (group.name === '*' || groups.includes(group.name));
  if (kind !== 'ServiceAccount' || serviceAccount === undefined) return false;
  const inNamespace = `system:serviceaccount:${serviceAccount.namespace}:`;
  return serviceAccount.name === '*'
    ? name.startsWith(inNamespace)
    : name === `${inNamespace}${serviceAccount.name}`;
}

function coversResource(rule: ResourcePolicyRule, info: RequestInfo): boolean {
  const { resource, subresource, namespace } = info;
  return (
    includes(rule.verbs, info.verb) &&
    includes(rule.resources, subresource === '' ? resource : `${resource}/${subresource}`) &&
    includes(rule.apiGroups, info.group) &&
    (namespace === '' ? rule.clusterScope === true : includes(rule.namespaces, namespace))
  );
}

const coversPath = (rule: NonResourcePolicyRule, { verb, path }: RequestInfo): boolean =>
  includes(rule.verbs, verb) && (rule.nonResourceURLs ?? []).some((url) => isBelow(url, path));

/** A rule for `/healthz` also covers `/healthz/ping`. */
function isBelow(url: string, path: string): boolean {
  if (url === '*' || url === path) return true;
  const start = url.endsWith('*') ? url.slice(0, -1) : url;
  return path.startsWith(start.endsWith('/') ? start : `${start}/`);
}

/** `*` matches everything when it is the only value, as validation ensures. */
const includes = (values: readonly string[] | null | undefined, wanted: string): boolean =>
  values != null && ((values.length === 1 && values[0] === '*') || values.includes(wanted));
