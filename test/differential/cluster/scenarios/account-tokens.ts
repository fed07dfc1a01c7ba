/** Accounts, the tokens that secrets hold for them, and what every namespace gets. */
import type { JsonObject, Scenario, Step } from '../scenario.ts';
import {
  collection,
  create,
  events,
  item,
  patch,
  pod,
  remove,
  scenario,
  until,
  untilGone,
  view,
  wait,
} from './building.ts';

const token = (name: string, account: string, metadata: JsonObject = {}, more: JsonObject = {}): Step =>
  create('Secret', name, {
    metadata: {
      ...metadata,
      annotations: {
        'kubernetes.io/service-account.name': account,
        ...(metadata['annotations'] as JsonObject),
      },
    },
    type: 'kubernetes.io/service-account-token',
    ...more,
  });
const all = (name: string) => view(name, 'ServiceAccount', 'Secret');
const ask = (account: string, spec: JsonObject, name = 'asked'): Step => ({
  name,
  req: `POST ${item('ServiceAccount', account)}/token`,
  body: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec },
  full: true,
});

export const accountTokenScenarios: readonly Scenario[] = [
  scenario('default-account-deleted', remove('ServiceAccount', 'default'), wait(1000), all('after')),
  scenario(
    'root-map-deleted',
    { req: `DELETE ${item('ConfigMap', 'kube-root-ca.crt')}` },
    wait(1000),
    view('after', { get: collection('ConfigMap'), keepRootCA: true }),
  ),
  scenario(
    'two-tokens-of-one-account',
    create('ServiceAccount', 'a'),
    token('t1', 'a'),
    token('t2', 'a'),
    all('both'),
    remove('Secret', 't1'),
    all('one'),
  ),
  scenario('token-of-default-account', token('t', 'default'), all('after')),
  scenario(
    'token-with-own-data',
    create('ServiceAccount', 'a'),
    token('t', 'a', {}, { data: { mine: 'eA==' } }),
    all('after'),
  ),
  scenario(
    'token-with-finalizer',
    create('ServiceAccount', 'a'),
    token('t', 'a', { finalizers: ['x.org/f'] }),
    all('before'),
    remove('ServiceAccount', 'a'),
    wait(1000),
    all('held'),
    patch('Secret', 't', { metadata: { finalizers: null } }),
    untilGone(item('Secret', 't')),
    all('gone'),
  ),
  scenario('secret-of-type-without-account', {
    ...create('Secret', 't', { type: 'kubernetes.io/service-account-token' }),
    full: true,
  }),
  scenario('type-cannot-change', create('Secret', 's'), {
    ...patch('Secret', 's', { type: 'kubernetes.io/service-account-token' }),
    full: true,
  }),
  scenario(
    'annotation-added-to-opaque',
    create('ServiceAccount', 'a'),
    create('Secret', 's'),
    patch('Secret', 's', { metadata: { annotations: { 'kubernetes.io/service-account.name': 'a' } } }),
    all('after'),
  ),
  scenario(
    'namespace-in-token-changed',
    create('ServiceAccount', 'a'),
    token('t', 'a'),
    all('before'),
    patch('Secret', 't', { data: { namespace: 'eA==' } }),
    wait(800),
    all('after'),
  ),
  scenario(
    'account-with-secrets-enforced',
    create('ServiceAccount', 'a', {
      metadata: { annotations: { 'kubernetes.io/enforce-mountable-secrets': 'true' } },
    }),
    create('Secret', 's'),
    {
      ...pod('p', {
        spec: {
          serviceAccountName: 'a',
          containers: [{ name: 'c', image: 'i' }],
          volumes: [{ name: 'v', secret: { secretName: 's' } }],
        },
      }),
      full: true,
    },
  ),
  scenario('pod-of-missing-account', {
    ...pod('p', { spec: { serviceAccountName: 'none', containers: [{ name: 'c', image: 'i' }] } }),
    full: true,
  }),
  scenario(
    'replicaset-of-missing-account',
    create('ReplicaSet', 'web', {
      spec: {
        replicas: 1,
        selector: { matchLabels: { app: 'web' } },
        template: {
          metadata: { labels: { app: 'web' } },
          spec: { serviceAccountName: 'late', containers: [{ name: 'c', image: 'i' }] },
        },
      },
    }),
    wait(1500),
    view('refused', 'ReplicaSet'),
    create('ServiceAccount', 'late'),
    until(item('ReplicaSet', 'web'), 'status.replicas==1'),
    view('after', 'ReplicaSet'),
    events({ kinds: ['ReplicaSet'], reasons: ['FailedCreate'] }),
  ),
  scenario('token-asked-too-short', create('ServiceAccount', 'a'), ask('a', { expirationSeconds: 10 })),
  scenario(
    'token-asked-for-missing-pod',
    create('ServiceAccount', 'a'),
    ask('a', { boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name: 'none' } }),
  ),
  scenario(
    'token-asked-for-odd-kind',
    create('ServiceAccount', 'a'),
    ask('a', { boundObjectRef: { apiVersion: 'v1', kind: 'ConfigMap', name: 'none' } }),
  ),
  scenario('token-asked-of-missing-account', ask('none', {})),
];
