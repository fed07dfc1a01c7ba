import { expect, test } from 'vitest';
import { podQueryOf } from './pod-selector.ts';

const object = (spec: object) => ({ metadata: { name: 'one', namespace: 'shop' }, spec });
const app = { matchLabels: { app: 'web' } };

test.each([
  ['apps', 'deployments', { selector: app }, { namespace: 'shop', labelSelector: 'app=web' }],
  ['networking.k8s.io', 'networkpolicies', { podSelector: {} }, { namespace: 'shop', labelSelector: '' }],
  [
    'networking.k8s.io',
    'networkpolicies',
    { podSelector: app },
    { namespace: 'shop', labelSelector: 'app=web' },
  ],
  ['policy', 'poddisruptionbudgets', { selector: app }, { namespace: 'shop', labelSelector: 'app=web' }],
  ['policy', 'poddisruptionbudgets', {}, undefined],
  ['', 'services', { selector: {} }, undefined],
  ['', 'configmaps', {}, undefined],
])('the pods of %s/%s %j', (group, resource, spec, expected) => {
  expect(podQueryOf({ group, resource }, object(spec))).toEqual(expected);
});

test('the pods of a node are those that it runs, in all namespaces', () => {
  expect(podQueryOf({ group: '', resource: 'nodes' }, { metadata: { name: 'alder' } })).toEqual({
    namespace: undefined,
    fieldSelector: 'spec.nodeName=alder',
  });
});
