import { expect, test } from 'vitest';
import type { AuthorizationAttributes } from '../authorizer.ts';
import { rbacAuthorizer } from './authorizer.ts';
import type { PolicyRule, Subject } from './objects.ts';
import { RuleResolver } from './rule-resolver.ts';

const alice = { name: 'alice', groups: ['dev', 'system:authenticated'] };

const toGetPods: AuthorizationAttributes = {
  user: alice,
  verb: 'get',
  namespace: 'x',
  group: '',
  version: 'v1',
  resource: 'pods',
  subresource: '',
  name: 'p',
  isResourceRequest: true,
  path: '/api/v1/namespaces/x/pods/p',
  observer: undefined,
};

const readPods: PolicyRule = { verbs: ['get'], apiGroups: [''], resources: ['pods'] };

function bookWith(rule: PolicyRule, subject: Subject, namespace?: string) {
  const rules = new RuleResolver();
  const metadata = namespace === undefined ? {} : { namespace };
  rules.putRole({ metadata: { ...metadata, name: 'r' }, rules: [rule] });
  rules.putBinding({
    metadata: { ...metadata, name: 'b' },
    subjects: [subject],
    roleRef: { kind: namespace === undefined ? 'ClusterRole' : 'Role', name: 'r' },
  });
  return rbacAuthorizer(rules);
}

const user: Subject = { kind: 'User', name: 'alice' };

test('a binding in the namespace allows the request and is named in the reason', () => {
  expect(bookWith(readPods, user, 'x').decide(toGetPods)).toEqual({
    kind: 'allow',
    reason: 'RBAC: allowed by RoleBinding "b/x" of Role "r" to User "alice"',
  });
});

test('a binding in another namespace does not', () => {
  expect(bookWith(readPods, user, 'y').decide(toGetPods)).toEqual({ kind: 'no-opinion', reason: '' });
});

test.each<[string, PolicyRule, Partial<AuthorizationAttributes>, boolean]>([
  ['a subresource needs its own rule', readPods, { subresource: 'log' }, false],
  ['resource/subresource names one', { ...readPods, resources: ['pods/log'] }, { subresource: 'log' }, true],
  [
    '*/subresource names it of all resources',
    { ...readPods, resources: ['*/log'] },
    { subresource: 'log' },
    true,
  ],
  ['resource/* is no wildcard', { ...readPods, resources: ['pods/*'] }, { subresource: 'log' }, false],
  ['* is all resources and subresources', { ...readPods, resources: ['*'] }, { subresource: 'log' }, true],
  ['names limit a rule', { ...readPods, resourceNames: ['q'] }, {}, false],
  ['another verb is another right', readPods, { verb: 'delete' }, false],
  ['another group is another resource', readPods, { group: 'apps' }, false],
  [
    'a path may end with a star',
    { verbs: ['get'], nonResourceURLs: ['/healthz/*'] },
    { isResourceRequest: false, path: '/healthz/ping', namespace: '' },
    true,
  ],
])('%s', (_title, rule, attributes, allowed) => {
  const decision = bookWith(rule, user).decide({ ...toGetPods, ...attributes });

  expect((decision as { kind: string }).kind === 'allow').toBe(allowed);
});

test('groups and service accounts are subjects, too', () => {
  expect(bookWith(readPods, { kind: 'Group', name: 'dev' }).decide(toGetPods)).toMatchObject({
    kind: 'allow',
  });
  const account = { kind: 'ServiceAccount', name: 'robot', namespace: 'x' };
  const robot = { name: 'system:serviceaccount:x:robot', groups: [] };
  expect(bookWith(readPods, account).decide({ ...toGetPods, user: robot })).toMatchObject({ kind: 'allow' });
});

test('every denial mentions bindings to missing roles', () => {
  const rules = new RuleResolver();
  rules.putBinding({
    metadata: { name: 'b' },
    subjects: [user],
    roleRef: { kind: 'ClusterRole', name: 'gone' },
  });

  expect(rbacAuthorizer(rules).decide(toGetPods)).toEqual({
    kind: 'no-opinion',
    reason: 'RBAC: clusterrole.rbac.authorization.k8s.io "gone" not found',
  });
});

test('a revoked permission is lost at once', () => {
  const rules = new RuleResolver();
  const authorizer = rbacAuthorizer(rules);
  rules.putRole({ metadata: { name: 'r' }, rules: [readPods] });
  rules.putBinding({
    metadata: { name: 'b' },
    subjects: [user],
    roleRef: { kind: 'ClusterRole', name: 'r' },
  });
  expect(authorizer.decide(toGetPods)).toMatchObject({ kind: 'allow' });

  rules.removeBinding('', 'b');

  expect(authorizer.decide(toGetPods)).toMatchObject({ kind: 'no-opinion' });
});
