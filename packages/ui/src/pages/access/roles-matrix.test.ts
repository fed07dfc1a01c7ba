import { expect, test } from 'vitest';
import type { PolicyObjects } from '@coxswain/apiserver/authorization/rbac/explain/policy-objects.ts';
import { rolesMatrix, verbsFor } from './roles-matrix.ts';

const question = {
  verb: 'get',
  group: '',
  resource: 'secrets',
  subresource: '',
  name: '',
  namespace: 'shop',
  path: '',
};
const rule = { apiGroups: [''], resources: ['secrets'], verbs: ['get', 'list'] };

const policy: PolicyObjects = {
  roles: [
    { metadata: { name: 'all' }, rules: [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }] },
    { metadata: { name: 'elsewhere', namespace: 'other' }, rules: [rule] },
    { metadata: { name: 'one', namespace: 'shop' }, rules: [{ ...rule, resourceNames: ['db'] }] },
    { metadata: { name: 'pods' }, rules: [{ ...rule, resources: ['pods'] }] },
  ],
  bindings: [
    {
      metadata: { name: 'one', namespace: 'shop' },
      roleRef: { kind: 'Role', name: 'one' },
      subjects: [{ kind: 'User', name: 'alice' }],
    },
    { metadata: { name: 'all', namespace: 'other' }, roleRef: { kind: 'ClusterRole', name: 'all' } },
  ],
};

test('roles in scope that grant anything are listed, bound ones first', () => {
  const rows = rolesMatrix(question, policy);
  expect(rows.map(({ role, bindings }) => [role.metadata.name, bindings])).toEqual([
    ['one', 1],
    ['all', 0],
  ]);
});

test('a grant for named objects is not a grant for all', () => {
  const [one, all] = rolesMatrix(question, policy);
  expect(one?.grants.slice(0, 3)).toEqual(['some', 'some', 'none']);
  expect(new Set(all?.grants)).toEqual(new Set(['all']));
  expect(rolesMatrix({ ...question, name: 'db' }, policy)[0]?.grants[0]).toBe('all');
});

test('an unusual verb gets a column, and a path has only its verb', () => {
  expect(verbsFor({ ...question, verb: 'impersonate' }).at(-1)).toBe('impersonate');
  expect(verbsFor({ ...question, resource: '', path: '/metrics' })).toEqual(['get']);
});
