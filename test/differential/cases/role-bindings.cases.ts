/** What bindings say of roles that aren't there, and who may bind and escalate. */
import { applyPatch, ask, jsonPatch, mergePatch, type DifferentialCase } from './case.ts';

const group = 'rbac.authorization.k8s.io';
const namespaced = `/apis/${group}/v1/namespaces/$ns`;
const cluster = `/apis/${group}/v1`;
const users = ['admin', 'alice', 'bob'] as const;

const places = [
  {
    kind: 'RoleBinding',
    collection: `${namespaced}/rolebindings`,
    roleKinds: ['Role', 'ClusterRole', 'Nosuch', ''],
  },
  {
    kind: 'ClusterRoleBinding',
    collection: `${cluster}/clusterrolebindings`,
    roleKinds: ['ClusterRole', 'Role', 'Nosuch'],
  },
] as const;
const groups = [group, '', 'apps', undefined];
const names = ['nosuch', 'view', '', 'a/b', 'Upper_Case', '..'];

/** Alice may write bindings and roles, and nothing else. */
const rightsOfAlice = [
  ask(`POST ${cluster}/clusterroles`, {
    metadata: { name: '$id' },
    rules: [
      {
        apiGroups: [group],
        resources: ['rolebindings', 'clusterrolebindings', 'roles', 'clusterroles'],
        verbs: ['create', 'update', 'patch', 'get', 'delete'],
      },
    ],
  }),
  ask(`POST ${cluster}/clusterrolebindings`, {
    metadata: { name: '$id' },
    roleRef: { apiGroup: group, kind: 'ClusterRole', name: '$id' },
    subjects: [{ kind: 'User', name: 'alice', apiGroup: group }],
  }),
];
const cleanup = [ask(`DELETE ${cluster}/clusterrolebindings/$id`), ask(`DELETE ${cluster}/clusterroles/$id`)];

const bindings = places.flatMap(({ kind, collection, roleKinds }) =>
  roleKinds.flatMap((roleKind) =>
    groups.flatMap((apiGroup) =>
      names.map((name): DifferentialCase => {
        const roleRef = { ...(apiGroup !== undefined && { apiGroup }), kind: roleKind, name };
        const body = { apiVersion: `${group}/v1`, kind, metadata: { name: '$id-b' }, roleRef, subjects: [] };
        return {
          name: `${kind}-to-${roleKind}-${apiGroup}-${name}`,
          steps: [
            ...rightsOfAlice,
            ...users.flatMap((as) => [
              ask(`POST ${collection}?dryRun=All`, body, { as }),
              ask(`PUT ${collection}/$id-b?dryRun=All`, body, { as }),
              ask(`PATCH ${collection}/$id-b?dryRun=All&fieldManager=a`, body, { as, ...applyPatch }),
            ]),
          ],
          cleanup,
        };
      }),
    ),
  ),
);

const rules = {
  verbs: { apiGroups: [''], resources: ['pods'], verbs: ['get', 'list'] },
  names: { apiGroups: [''], resources: ['pods', 'secrets'], resourceNames: ['a', 'b'], verbs: ['*'] },
  paths: { nonResourceURLs: ['/healthz', '/x/*'], verbs: ['get'] },
  mixed: { apiGroups: ['', 'apps'], resources: ['*/scale', 'deployments'], verbs: ['update', 'patch'] },
  all: { apiGroups: ['*'], resources: ['*'], verbs: ['*'] },
  held: { apiGroups: [group], resources: ['roles'], verbs: ['create', 'get'] },
} as const;

const escalations = Object.entries(rules).flatMap(([what, rule]) =>
  (['Role', 'ClusterRole'] as const).map((kind): DifferentialCase => {
    const collection = kind === 'Role' ? `${namespaced}/roles` : `${cluster}/clusterroles`;
    const bindingsOf = kind === 'Role' ? `${namespaced}/rolebindings` : `${cluster}/clusterrolebindings`;
    const body = { apiVersion: `${group}/v1`, kind, metadata: { name: '$id-r' }, rules: [rule] };
    const roleRef = { apiGroup: group, kind, name: '$id-r' };
    const bindingKind = kind === 'Role' ? 'RoleBinding' : 'ClusterRoleBinding';
    const binding = { apiVersion: `${group}/v1`, kind: bindingKind, metadata: { name: '$id-rb' }, roleRef };
    return {
      name: `escalate-${what}-${kind}`,
      steps: [
        ...rightsOfAlice,
        ask(`POST ${collection}`, body, { as: 'alice' }),
        ask(`PATCH ${collection}/$id-r?fieldManager=a`, body, { as: 'alice', ...applyPatch }),
        ask(`POST ${collection}`, body),
        ask(`PUT ${collection}/$id-r`, { ...body, rules: [rule, rules.held] }, { as: 'alice' }),
        ask(`PUT ${collection}/$id-r`, { ...body, rules: [] }, { as: 'alice' }),
        ask(`PATCH ${collection}/$id-r`, { rules: [rule] }, { as: 'alice', ...mergePatch }),
        ask(
          `PATCH ${collection}/$id-r`,
          { metadata: { labels: { a: 'b' } } },
          { as: 'alice', ...mergePatch },
        ),
        ask(`PATCH ${collection}/$id-r`, { rules: [rule] }, mergePatch),
        ask(`POST ${bindingsOf}`, binding, { as: 'alice' }),
        ask(`POST ${bindingsOf}`, binding),
        ask(
          `PUT ${bindingsOf}/$id-rb`,
          { ...binding, subjects: [{ kind: 'Group', name: 'g' }] },
          { as: 'alice' },
        ),
        ask(`PATCH ${bindingsOf}/$id-rb`, { roleRef: { name: 'other' } }, mergePatch),
        ask(`PATCH ${bindingsOf}/$id-rb`, { roleRef: { kind: 'Nosuch' } }, { as: 'alice', ...mergePatch }),
      ],
      cleanup: [ask(`DELETE ${bindingsOf}/$id-rb`), ask(`DELETE ${collection}/$id-r`), ...cleanup],
    };
  }),
);

/** A user whose bindings lead nowhere, and roles that gather others. */
const others: DifferentialCase = {
  name: 'dangling-and-aggregating',
  serial: true,
  steps: [
    ...rightsOfAlice,
    ...['gone-a', 'gone-b'].flatMap((name) => [
      ask(`POST ${namespaced}/rolebindings`, {
        metadata: { name },
        roleRef: { apiGroup: group, kind: 'Role', name },
        subjects: [{ kind: 'User', name: 'alice' }],
      }),
      ask(`POST ${namespaced}/roles`, { metadata: { name: 'r' }, rules: [rules.verbs] }, { as: 'alice' }),
    ]),
    ...[{}, { clusterRoleSelectors: [] }, { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] }].flatMap(
      (aggregationRule) => [
        ask(
          `POST ${cluster}/clusterroles?dryRun=All`,
          { metadata: { name: '$id-g' }, aggregationRule },
          { as: 'alice' },
        ),
      ],
    ),
    ask(`POST ${cluster}/clusterroles`, {
      metadata: { name: '$id-g', finalizers: ['a/b'] },
      rules: [rules.verbs],
      aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] },
    }),
    ...[
      { metadata: { labels: { a: 'b' } } },
      { metadata: { finalizers: null } },
      { metadata: { ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'p', uid: 'u' }] } },
      { aggregationRule: null },
      { rules: [] },
      { rules: [], aggregationRule: null },
    ].map((patch) =>
      ask(`PATCH ${cluster}/clusterroles/$id-g?dryRun=All`, patch, { as: 'alice', ...mergePatch }),
    ),
    ask(
      `PUT ${cluster}/clusterroles/$id-g`,
      { metadata: { name: '$id-g' }, rules: [rules.verbs] },
      { as: 'alice' },
    ),
  ],
  cleanup: [
    ask(`PATCH ${cluster}/clusterroles/$id-g`, { metadata: { finalizers: null } }, mergePatch),
    ask(`DELETE ${cluster}/clusterroles/$id-g`),
    ...cleanup,
  ],
};

/** Rights to bind and to escalate some names, some groups. */
const granted = [
  { apiGroups: [group], resources: ['roles', 'clusterroles'], verbs: ['escalate'] },
  { apiGroups: [group], resources: ['roles', 'clusterroles'], verbs: ['escalate'], resourceNames: ['$id-r'] },
  { apiGroups: [group], resources: ['clusterroles'], verbs: ['bind'], resourceNames: ['view'] },
  { apiGroups: ['apps'], resources: ['clusterroles'], verbs: ['bind'] },
].map((right, at): DifferentialCase => {
  const collection = `${cluster}/clusterroles`;
  const role = { metadata: { name: '$id-r' }, rules: [rules.names] };
  return {
    name: `granted-${at}`,
    serial: true,
    steps: [
      ...rightsOfAlice,
      ask(`PATCH ${collection}/$id`, [{ op: 'add', path: '/rules/-', value: right }], jsonPatch),
      ask(`GET ${collection}/$id`, undefined, { pauseMs: 500 }),
      ask(`POST ${collection}?dryRun=All`, role, { as: 'alice' }),
      ask(`PUT ${collection}/$id-r?dryRun=All`, role, { as: 'alice' }),
      ask(
        `PATCH ${collection}/$id-r?fieldManager=a`,
        { apiVersion: `${group}/v1`, kind: 'ClusterRole', ...role },
        { as: 'alice', ...applyPatch },
      ),
      ...[group, 'apps', ''].flatMap((apiGroup) =>
        ['view', 'edit', 'nosuch'].map((name) =>
          ask(
            `POST ${cluster}/clusterrolebindings?dryRun=All`,
            { metadata: { name: '$id-b' }, roleRef: { apiGroup, kind: 'ClusterRole', name } },
            { as: 'alice' },
          ),
        ),
      ),
    ],
    cleanup: [ask(`DELETE ${collection}/$id-r`), ...cleanup],
  };
});

export const cases: readonly DifferentialCase[] = [...bindings, ...escalations, others, ...granted];
