import { describe, expect, test } from 'vitest';
import type { AccessQuestion } from '@coxswain/apiserver/authorization/rbac/explain/access-question.ts';
import { minimalRoles, type SeenRequest } from './minimal-roles.ts';
import type { PolicyObjects } from '@coxswain/apiserver/authorization/rbac/explain/policy-objects.ts';
import { roleObjects } from './role-objects.ts';
import { renderWhoCan, whoCan } from '@coxswain/apiserver/authorization/rbac/explain/who-can.ts';
import {
  explainAccess,
  renderExplanation,
} from '@coxswain/apiserver/authorization/rbac/explain/why-denied.ts';

const readPods = { apiGroups: [''], resources: ['pods'], verbs: ['get', 'list'] };

const policy: PolicyObjects = {
  roles: [
    { metadata: { name: 'reader' }, rules: [readPods] },
    { metadata: { name: 'cleaner', namespace: 'shop' }, rules: [{ ...readPods, verbs: ['delete'] }] },
  ],
  bindings: [
    {
      metadata: { name: 'readers' },
      roleRef: { kind: 'ClusterRole', name: 'reader' },
      subjects: [{ kind: 'Group', name: 'dev' }],
    },
    {
      metadata: { name: 'cleaners', namespace: 'shop' },
      roleRef: { kind: 'Role', name: 'cleaner' },
      subjects: [
        { kind: 'ServiceAccount', name: 'janitor' },
        { kind: 'User', name: 'alice' },
      ],
    },
    {
      metadata: { name: 'gone' },
      roleRef: { kind: 'ClusterRole', name: 'gone' },
      subjects: [{ kind: 'User', name: 'alice' }],
    },
  ],
};

const question = (more: Partial<AccessQuestion> = {}): AccessQuestion => ({
  verb: 'delete',
  group: '',
  resource: 'pods',
  subresource: '',
  name: '',
  namespace: 'shop',
  path: '',
  ...more,
});

describe('who can', () => {
  test('lists every subject with its binding and role', () => {
    expect(whoCan(question(), policy)).toEqual([
      {
        kind: 'ServiceAccount',
        subject: 'shop/janitor',
        binding: 'RoleBinding shop/cleaners',
        role: 'Role cleaner',
      },
      { kind: 'User', subject: 'alice', binding: 'RoleBinding shop/cleaners', role: 'Role cleaner' },
    ]);
    expect(whoCan(question({ namespace: 'other' }), policy)).toEqual([]);
  });

  test('says so if there is none', () => {
    expect(renderWhoCan('delete nodes', [])).toContain('No binding grants this to anyone.');
  });
});

describe('why denied', () => {
  const alice = { name: 'alice', groups: ['dev'] };

  test('shows the rule that lacks only the verb, missing roles, and where it would be allowed', () => {
    const asked = question({ namespace: 'other' });

    const explanation = explainAccess(asked, alice, policy);

    expect(explanation.nearest).toEqual([
      {
        binding: 'ClusterRoleBinding readers',
        role: 'ClusterRole reader',
        lacks: ['the verb delete is not among get, list'],
      },
    ]);
    expect(explanation.elsewhere).toEqual(['RoleBinding shop/cleaners']);
    expect(explanation.enough).toEqual({ apiGroups: [''], resources: ['pods'], verbs: ['delete'] });
    const text = renderExplanation(asked, alice, { allowed: false, reason: '' }, explanation);
    expect(text).toContain('alice may not delete pods in namespace other.');
    expect(text).toContain('ClusterRoleBinding gone → ClusterRole gone (not found)');
  });

  test('names the roles that would allow it, the smallest first, and how to bind it', () => {
    const every = { verbs: ['*'], apiGroups: ['*'], resources: ['*'] };
    const role = (name: string, rule: object) => ({ metadata: { name }, rules: [rule] });
    const pods = { apiGroups: [''], resources: ['pods'] };
    const roles = [
      role('cluster-admin', every),
      role('edit', { ...pods, verbs: ['delete', 'get'] }),
      role('system:node', every),
      role('view', { ...pods, verbs: ['get'] }),
      {
        ...role('cleaner', { ...pods, verbs: ['delete'] }),
        metadata: { name: 'cleaner', namespace: 'shop' },
      },
    ];
    const grants = (namespace: string, name: string) =>
      explainAccess(question({ namespace }), { name, groups: [] }, { roles, bindings: [] });

    expect(grants('other', "o'neil")).toMatchObject({
      roles: ['ClusterRole edit', 'ClusterRole cluster-admin'],
      grant: String.raw`kubectl create rolebinding 'o'\''neil-edit' --clusterrole=edit --user='o'\''neil' --namespace=other`,
    });
    expect(grants('shop', 'system:serviceaccount:ci:bot').grant).toBe(
      'kubectl create rolebinding bot-cleaner --role=cleaner --serviceaccount=ci:bot --namespace=shop',
    );
  });

  test('shows what allows a permitted request', () => {
    expect(explainAccess(question(), alice, policy).allowedBy).toEqual(['RoleBinding shop/cleaners']);
  });
});

describe('minimal roles', () => {
  const seen = (
    verb: string,
    objectRef: SeenRequest['objectRef'],
    code = 200,
    username = 'alice',
  ): SeenRequest => ({
    stage: 'ResponseComplete',
    verb,
    user: { username },
    ...(objectRef && { objectRef }),
    responseStatus: { code },
  });
  const pods = { resource: 'pods', namespace: 'shop' };

  test('join verbs of a resource and resources with the same verbs', () => {
    const requests = [
      seen('list', pods),
      seen('get', { ...pods, name: 'a' }),
      seen('get', { resource: 'configmaps', namespace: 'shop', name: 'c' }),
      seen('list', { resource: 'configmaps', namespace: 'shop' }),
      seen('update', {
        resource: 'deployments',
        subresource: 'scale',
        apiGroup: 'apps',
        namespace: 'shop',
        name: 'd',
      }),
      seen('list', { resource: 'nodes' }),
      { ...seen('get', undefined), requestURI: '/metrics?x=1' },
    ];

    expect(minimalRoles(requests)).toEqual([
      {
        user: 'alice',
        namespace: '',
        rules: [
          { apiGroups: [''], resources: ['nodes'], verbs: ['list'] },
          { nonResourceURLs: ['/metrics'], verbs: ['get'] },
        ],
      },
      {
        user: 'alice',
        namespace: 'shop',
        rules: [
          { apiGroups: [''], resources: ['configmaps', 'pods'], verbs: ['get', 'list'] },
          { apiGroups: ['apps'], resources: ['deployments/scale'], verbs: ['update'] },
        ],
      },
    ]);
  });

  test('exclude refused requests and other stages by default', () => {
    const requests = [seen('delete', pods, 403), { ...seen('get', pods), stage: 'RequestReceived' }];

    expect(minimalRoles(requests)).toEqual([]);
    expect(minimalRoles(requests, { withRefused: true })[0]!.rules).toEqual([
      { apiGroups: [''], resources: ['pods'], verbs: ['delete'] },
    ]);
  });

  test('name objects on request, except those that are created', () => {
    const requests = [
      seen('get', { ...pods, name: 'b' }),
      seen('get', { ...pods, name: 'a' }),
      seen('create', { ...pods, name: 'a' }),
    ];

    expect(minimalRoles(requests, { byName: true })[0]!.rules).toEqual([
      { apiGroups: [''], resources: ['pods'], resourceNames: ['a', 'b'], verbs: ['get'] },
      { apiGroups: [''], resources: ['pods'], verbs: ['create'] },
    ]);
  });

  test('know that applying a missing object requires permission to create it', () => {
    const requests = [seen('patch', { ...pods, name: 'a' }, 201), seen('patch', { ...pods, name: 'b' })];

    expect(minimalRoles(requests, { byName: true })[0]!.rules).toEqual([
      { apiGroups: [''], resources: ['pods'], resourceNames: ['a', 'b'], verbs: ['patch'] },
      { apiGroups: [''], resources: ['pods'], verbs: ['create'] },
    ]);
  });

  test('are for the whole cluster, and named, where that is asked for', () => {
    const needs = minimalRoles([seen('list', pods)], { allNamespaces: true });

    expect(roleObjects(needs, 'web')).toMatchObject([
      { kind: 'ClusterRole', metadata: { name: 'web' } },
      { kind: 'ClusterRoleBinding', metadata: { name: 'web' }, roleRef: { name: 'web' } },
    ]);
  });

  test('keep what a service account did only in its own namespace there, on request', () => {
    const user = 'system:serviceaccount:shop:web';
    const leases = { resource: 'leases', apiGroup: 'coordination.k8s.io', namespace: 'shop' };
    const requests = [
      seen('update', leases, 200, user),
      seen('list', { ...pods, namespace: 'shop' }, 200, user),
      seen('list', { ...pods, namespace: 'team' }, 200, user),
    ];

    expect(minimalRoles(requests, { allNamespaces: true, ownNamespace: true })).toEqual([
      { user, namespace: '', rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['list'] }] },
      {
        user,
        namespace: 'shop',
        rules: [{ apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: ['update'] }],
      },
    ]);
    expect(minimalRoles(requests, { allNamespaces: true })).toHaveLength(1);
  });

  test('become objects that bind a service account as such', () => {
    const needs = minimalRoles([seen('list', pods, 200, 'system:serviceaccount:shop:web')]);

    const [role, binding] = roleObjects(needs) as { kind: string; subjects?: object[] }[];

    expect([role!.kind, binding!.kind]).toEqual(['Role', 'RoleBinding']);
    expect(binding!.subjects).toEqual([{ kind: 'ServiceAccount', namespace: 'shop', name: 'web' }]);
  });
});
