/** Acting as somebody else: every combination of headers, by callers that may impersonate some of it, and what it makes them. */
import { ask, type DifferentialCase } from './case.ts';
import type { Step } from '../../../packages/kube-apiserver/test/oracle/case.ts';

const rbac = '/apis/rbac.authorization.k8s.io/v1';
const selfReviews = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
const core = '/api/v1/namespaces/$ns';

interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
  readonly resourceNames?: readonly string[];
}
type Headers = NonNullable<Step['headers']>;

const legacy = (resources: readonly string[], resourceNames?: readonly string[]): Rule => ({
  apiGroups: ['', 'authentication.k8s.io'],
  resources,
  verbs: ['impersonate'],
  ...(resourceNames && { resourceNames }),
});
const constrained = (
  mode: string,
  resources: readonly string[],
  resourceNames?: readonly string[],
): Rule => ({
  apiGroups: ['authentication.k8s.io'],
  resources,
  verbs: [`impersonate:${mode}`],
  ...(resourceNames && { resourceNames }),
});
const onBehalf = (mode: string, verb: string, group: string, resource: string): Rule => ({
  apiGroups: [group],
  resources: [resource],
  verbs: [`impersonate-on:${mode}:${verb}`],
});
const reviewing = (mode: string) => onBehalf(mode, 'create', 'authentication.k8s.io', 'selfsubjectreviews');

/**
 * By name, what a service account of the case's own may do: the original remembers for ten seconds what it allowed to
 * a name.
 */
const callers: Readonly<Record<string, readonly Rule[]>> = {
  nothing: [],
  users: [legacy(['users'])],
  jane: [legacy(['users'], ['jane'])],
  groups: [legacy(['users', 'groups'])],
  uids: [legacy(['users', 'uids', 'userextras/scopes'])],
  'service-accounts': [legacy(['serviceaccounts'])],
  everything: [legacy(['*'])],
  'user-info': [
    constrained('user-info', ['users', 'groups', 'uids', 'userextras/scopes']),
    reviewing('user-info'),
  ],
  'user-info-of-some': [
    constrained('user-info', ['users', 'userextras/example.com/a']),
    constrained('user-info', ['groups'], ['a', 'b', 'dev']),
    reviewing('user-info'),
  ],
  'user-info-of-all': [
    constrained('user-info', ['users', 'groups', 'uids', 'userextras/*']),
    reviewing('user-info'),
  ],
  'user-info-jane': [constrained('user-info', ['users'], ['jane']), reviewing('user-info')],
  'user-info-without-action': [constrained('user-info', ['users', 'groups'])],
  'user-info-lists': [
    constrained('user-info', ['users', 'groups']),
    onBehalf('user-info', 'list', '', 'configmaps'),
  ],
  'constrained-service-account': [
    constrained('serviceaccount', ['serviceaccounts']),
    reviewing('serviceaccount'),
  ],
  'constrained-node': [constrained('arbitrary-node', ['nodes']), reviewing('arbitrary-node')],
  'associated-node': [constrained('associated-node', ['nodes']), reviewing('associated-node')],
  'both-ways': [legacy(['users'], ['jane']), constrained('user-info', ['groups']), reviewing('user-info')],
};

const user = (name: string, more: Headers = {}): Headers => ({ 'impersonate-user': name, ...more });
const identities: Readonly<Record<string, Headers>> = {
  jane: user('jane'),
  joe: user('joe'),
  'empty user': user(''),
  'spaced user': user(' jane '),
  unicode: user('j%C3%A4ne'),
  'one group': user('jane', { 'impersonate-group': 'dev' }),
  'two groups': user('jane', { 'impersonate-group': ['dev', 'ops'] }),
  'empty group': user('jane', { 'impersonate-group': '' }),
  masters: user('jane', { 'impersonate-group': 'system:masters' }),
  authenticated: user('jane', { 'impersonate-group': 'system:authenticated' }),
  unauthenticated: user('jane', { 'impersonate-group': 'system:unauthenticated' }),
  'only group': { 'impersonate-group': 'dev' },
  'only uid': { 'impersonate-uid': '1' },
  'only extra': { 'impersonate-extra-scopes': 'view' },
  uid: user('jane', { 'impersonate-uid': '1' }),
  'empty uid': user('jane', { 'impersonate-uid': '' }),
  extra: user('jane', { 'impersonate-extra-scopes': ['view', 'edit'] }),
  'other extra': user('jane', { 'impersonate-extra-other': 'x' }),
  'proper extra': user('jane', { 'impersonate-extra-example.com%2fa': 'x', 'impersonate-group': 'dev' }),
  'empty proper extra': user('jane', { 'impersonate-extra-example.com%2fa': ['x', ''] }),
  'many groups': user('jane', { 'impersonate-group': ['a', 'b', 'c', 'd'] }),
  'many extras': user('jane', { 'impersonate-extra-example.com%2fa': ['a', 'b', 'c', 'd'] }),
  'groups with masters last': user('jane', { 'impersonate-group': ['dev', 'system:masters'] }),
  'escaped upper case': user('jane', { 'impersonate-extra-example.com%2f%41': 'x' }),
  'encoded extra': user('jane', { 'impersonate-extra-example.com%2fscopes': 'x' }),
  'badly encoded extra': user('jane', { 'impersonate-extra-a%zz': 'x' }),
  'extra without key': user('jane', { 'impersonate-extra-': 'x' }),
  'upper case': user('jane', { 'Impersonate-Extra-Scopes': 'View' }),
  'system extra': user('jane', { 'impersonate-extra-authentication.kubernetes.io%2fnode-name': 'n' }),
  'service account': user('system:serviceaccount:default:a'),
  'service account with group': user('system:serviceaccount:default:a', { 'impersonate-group': 'dev' }),
  'service account with uid': user('system:serviceaccount:default:a', { 'impersonate-uid': '1' }),
  'bad service account': user('system:serviceaccount:default'),
  'odd service account': user('system:serviceaccount:Def_ault:a'),
  node: user('system:node:n1'),
  'own node': user('system:node:$id'),
  'node with its group': user('system:node:n1', { 'impersonate-group': 'system:nodes' }),
  'empty node': user('system:node:'),
  anonymous: user('system:anonymous'),
  'anonymous with group': user('system:anonymous', { 'impersonate-group': 'dev' }),
  admin: user('system:admin'),
  kubernetes: user('system:kube-proxy'),
};

const pick = [
  'kind',
  'message',
  'reason',
  'code',
  'details',
  'status.userInfo',
  'status.allowed',
  'status.reason',
];

const elsewhere = (): Step[] => [
  ask(`GET ${core}/configmaps`),
  ask(`GET ${core}/configmaps/a`),
  ask(`GET ${core}/configmaps?watch=true&timeoutSeconds=1&resourceVersion=x`),
  ask(`POST ${core}/configmaps?dryRun=All`, { metadata: { name: 'a' } }),
  ask(`DELETE ${core}/configmaps?dryRun=All`),
  ask('GET /version'),
  ask('GET /nothing'),
  ask(`POST ${core}/serviceaccounts/a/token?dryRun=All`, {}),
];

function* questions(caller: Headers, as?: string): Generator<Step> {
  const by = (identity: Headers): Partial<Step> => ({
    ...(as !== undefined && { as }),
    headers: { ...caller, ...identity },
    pick,
  });
  for (const identity of Object.values(identities)) yield ask(`POST ${selfReviews}`, {}, by(identity));
  for (const name of ['jane', 'masters', 'node', 'service account'])
    for (const step of elsewhere()) yield { ...step, ...by(identities[name]!) };
}

export const cases: readonly DifferentialCase[] = [
  ...Object.entries(callers).map(([name, rules]): DifferentialCase => ({
    name,
    steps: [
      ask('POST /api/v1/nodes', { metadata: { name: '$id' } }, { quiet: true }),
      ask(`POST ${core}/serviceaccounts`, { metadata: { name: 'caller' } }, { quiet: true }),
      ask(
        `POST ${core}/pods`,
        {
          metadata: { name: 'p' },
          spec: { nodeName: '$id', serviceAccountName: 'caller', containers: [{ name: 'c', image: 'i' }] },
        },
        { quiet: true },
      ),
      {
        ...ask(
          `POST ${core}/serviceaccounts/caller/token`,
          { spec: { boundObjectRef: { kind: 'Pod', apiVersion: 'v1', name: 'p' } } },
          { quiet: true },
        ),
        name: 'token',
      },
      ask(`POST ${rbac}/clusterroles`, { metadata: { name: '$id' }, rules }, { quiet: true }),
      ask(
        `POST ${rbac}/clusterrolebindings`,
        {
          metadata: { name: '$id' },
          roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: '$id' },
          subjects: [{ kind: 'ServiceAccount', name: 'caller', namespace: '$ns' }],
        },
        { quiet: true, pauseMs: 500 },
      ),
      ...questions({ authorization: 'Bearer $token.status.token' }),
    ],
    cleanup: [
      ask(`DELETE ${rbac}/clusterrolebindings/$id`),
      ask(`DELETE ${rbac}/clusterroles/$id`),
      ask(`DELETE ${core}/pods/p?gracePeriodSeconds=0`),
      ask('DELETE /api/v1/nodes/$id'),
    ],
  })),
  { name: 'by-an-administrator', steps: [...questions({}, 'admin')] },
  { name: 'by-nobody', steps: [...questions({}, 'anonymous')] },
  { name: 'by-a-bad-token', steps: [...questions({}, 'badtoken')].slice(0, 8) },
];
