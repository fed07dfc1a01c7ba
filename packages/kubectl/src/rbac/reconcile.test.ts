import { expect, test } from 'vitest';
import { uncovered } from './coverage.ts';
import { reconciliation, type RbacObject } from './reconcile.ts';

const keep = { rules: false, subjects: false };
const pods = (verbs: string[]) => ({ apiGroups: [''], resources: ['pods'], verbs });
const role = (...rules: ReturnType<typeof pods>[]): RbacObject => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'Role',
  metadata: { name: 'r' },
  rules,
});
const binding = (name: string, ...users: string[]): RbacObject => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'RoleBinding',
  metadata: { name: 'b' },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name },
  subjects: users.map((user) => ({ kind: 'User', name: user })),
});

test('stars cover single verbs, groups, resources and subresources', () => {
  const all = { verbs: ['*'], apiGroups: ['*'], resources: ['*/log', 'pods'] };
  expect(uncovered([{ verbs: ['get'], apiGroups: ['x'], resources: ['jobs/log'] }], [all])).toEqual([]);
  expect(uncovered([{ verbs: ['get'], apiGroups: ['x'], resources: ['jobs'] }], [all])).toHaveLength(1);
});

test('a rule for names does not cover all names', () => {
  const named = { ...pods(['get']), resourceNames: ['a'] };
  expect(uncovered([pods(['get'])], [named])).toEqual([pods(['get'])]);
  expect(uncovered([named], [pods(['get'])])).toEqual([]);
});

test('rules that are missing are added, and others stay unless they are to go', () => {
  const current = role(pods(['get', 'delete']));
  const wanted = role(pods(['get', 'list']));
  const merged = reconciliation(current, wanted, keep);
  expect(merged.operation).toBe('update');
  expect(merged.object.rules).toEqual([pods(['get', 'delete']), pods(['list'])]);
  expect(reconciliation(current, wanted, { ...keep, rules: true }).object.rules).toEqual(wanted.rules);
});

test('a role that has all of it is left alone', () => {
  expect(reconciliation(role(pods(['*'])), role(pods(['get'])), keep).operation).toBe('none');
});

test('a binding to another role is recreated', () => {
  expect(reconciliation(binding('a', 'ann'), binding('b', 'ann'), keep).operation).toBe('recreate');
});

test('subjects are added once', () => {
  const { object, missingSubjects } = reconciliation(binding('a', 'ann'), binding('a', 'bea', 'bea'), keep);
  expect(missingSubjects).toEqual([{ kind: 'User', name: 'bea' }]);
  expect(object.subjects?.map(({ name }) => name)).toEqual(['ann', 'bea']);
});

test('an object that opts out is reported as protected', () => {
  const current = role();
  const optedOut = {
    ...current,
    metadata: { name: 'r', annotations: { 'rbac.authorization.kubernetes.io/autoupdate': 'false' } },
  };
  expect(reconciliation(optedOut, role(pods(['get'])), keep).isProtected).toBe(true);
});
