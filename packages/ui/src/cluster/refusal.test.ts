import { expect, test } from 'vitest';
import { refusedIn } from './refusal.ts';

test.each([
  [
    'Error from server (Forbidden): secrets "db" is forbidden: User "bob" cannot get resource "secrets" in API group "" in the namespace "shop"',
    { as: 'bob', verb: 'get', resource: 'secrets', name: 'db', namespace: 'shop' },
  ],
  [
    'deployments.apps "web" is forbidden: User "system:serviceaccount:ci:deployer" cannot patch resource "deployments/scale" in API group "apps" in the namespace "shop": RBAC: role not found',
    {
      as: 'system:serviceaccount:ci:deployer',
      verb: 'patch',
      resource: 'deployments.apps/scale',
      name: 'web',
      namespace: 'shop',
    },
  ],
  [
    'nodes is forbidden: User "bob" cannot list resource "nodes" in API group "" at the cluster scope',
    { as: 'bob', verb: 'list', resource: 'nodes', name: undefined, namespace: undefined },
  ],
  [
    'forbidden: User "bob" cannot get path "/metrics"',
    { as: 'bob', verb: 'get', resource: '/metrics', name: undefined, namespace: undefined },
  ],
  ['bob', undefined],
])('%s', (message, refused) => {
  expect(refusedIn(message)).toEqual(refused);
});
