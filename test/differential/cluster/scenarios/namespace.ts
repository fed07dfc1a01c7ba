import type { Scenario, Step } from '../scenario.ts';
import {
  create,
  item,
  pod,
  podReady,
  remove,
  scenario,
  template,
  view,
  wait,
  patch,
  selector,
} from './building.ts';

const drop: Step = { req: 'DELETE /api/v1/namespaces/$ns', full: true };
const seen = (name: string, ...kinds: string[]) => view(name, '/api/v1/namespaces/$ns', ...kinds);
const held = (name: string, finalizers: string[]): Step =>
  create('ConfigMap', name, { metadata: { finalizers } });
const free = (kind: string, name: string) => patch(kind, name, { metadata: { finalizers: null } });

export const namespaceScenarios: readonly Scenario[] = [
  scenario(
    'several-finalizers',
    held('a', ['x.org/f', 'x.org/g']),
    held('b', ['x.org/f']),
    drop,
    wait(1000),
    seen('held'),
    free('ConfigMap', 'a'),
    wait(6000),
    seen('one left'),
  ),
  scenario(
    'finalizers-on-kinds',
    held('a', ['x.org/f']),
    create('Secret', 's', { metadata: { finalizers: ['x.org/h'] } }),
    create('ServiceAccount', 'sa', { metadata: { finalizers: ['a.org/z'] } }),
    drop,
    wait(1000),
    seen('held', 'ConfigMap', 'Secret'),
  ),
  scenario(
    'refuses-new-content',
    held('a', ['x.org/f']),
    drop,
    wait(800),
    create('ConfigMap', 'late'),
    pod('late'),
    seen('held'),
  ),
  scenario(
    'own-finalizer',
    { req: 'PATCH /api/v1/namespaces/$ns', body: { metadata: { finalizers: ['x.org/ns'] } } },
    drop,
    wait(1500),
    seen('held'),
    { req: 'PATCH /api/v1/namespaces/$ns', body: { metadata: { finalizers: null } } },
    wait(1000),
    seen('after'),
  ),
  scenario(
    'spec-finalizer',
    { name: 'n', req: 'GET /api/v1/namespaces/$ns' },
    {
      req: 'PUT /api/v1/namespaces/$ns/finalize',
      body: {
        apiVersion: 'v1',
        kind: 'Namespace',
        metadata: { name: '$ns', resourceVersion: '$n.metadata.resourceVersion' },
        spec: { finalizers: ['kubernetes', 'x.org/spec'] },
      },
    },
    create('ConfigMap', 'm'),
    drop,
    wait(1500),
    seen('held'),
    { name: 'd', req: 'GET /api/v1/namespaces/$ns' },
    {
      req: 'PUT /api/v1/namespaces/$ns/finalize',
      body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: '$ns' }, spec: { finalizers: [] } },
    },
    wait(1000),
    seen('after'),
  ),
  scenario(
    'workloads-inside',
    create('Deployment', 'd', { spec: { replicas: 3, selector, template: template() } }),
    create('StatefulSet', 'st', {
      spec: {
        replicas: 1,
        serviceName: 's',
        selector: { matchLabels: { a: 'st' } },
        template: template({ labels: { a: 'st' } }),
      },
    }),
    create('Service', 's', { spec: { ports: [{ port: 80 }], selector: { app: 'web' } } }),
    wait(2000),
    drop,
    wait(7000),
    seen('after', 'Pod', 'Deployment'),
  ),
  scenario(
    'two-slow-pods',
    pod('a', { run: 'ready;linger' }),
    pod('b', {
      run: 'ready;linger',
      spec: { terminationGracePeriodSeconds: 100, containers: [{ name: 'c', image: 'i' }] },
    }),
    podReady('a'),
    podReady('b'),
    drop,
    wait(2000),
    seen('waiting', 'Pod'),
  ),
  scenario(
    'slow-pod-and-finalizer',
    pod('a', { run: 'ready;linger' }),
    held('m', ['x.org/f']),
    podReady('a'),
    drop,
    wait(2000),
    seen('waiting', 'Pod'),
  ),
  scenario(
    'pod-with-finalizer',
    pod('a', { metadata: { finalizers: ['x.org/p'] } }),
    podReady('a'),
    drop,
    wait(2000),
    seen('waiting'),
  ),
  scenario(
    'deleted-with-precondition',
    {
      req: 'DELETE /api/v1/namespaces/$ns',
      body: { apiVersion: 'v1', kind: 'DeleteOptions', preconditions: { uid: 'wrong' } },
      full: true,
    },
    seen('after'),
  ),
  scenario(
    'deleted-foreground',
    create('ConfigMap', 'm'),
    {
      req: 'DELETE /api/v1/namespaces/$ns',
      body: { apiVersion: 'v1', kind: 'DeleteOptions', propagationPolicy: 'Foreground' },
      full: true,
    },
    wait(6000),
    seen('after'),
  ),
  scenario(
    'deleted-orphan',
    create('ConfigMap', 'm'),
    {
      req: 'DELETE /api/v1/namespaces/$ns',
      body: { apiVersion: 'v1', kind: 'DeleteOptions', propagationPolicy: 'Orphan' },
      full: true,
    },
    wait(1500),
    seen('after'),
  ),
  scenario('deleted-twice', held('a', ['x.org/f']), drop, wait(500), drop, seen('after')),
  scenario(
    'name-label',
    {
      req: 'PATCH /api/v1/namespaces/$ns',
      body: { metadata: { labels: { 'kubernetes.io/metadata.name': 'other', more: 'x' } } },
    },
    seen('after'),
  ),
  scenario(
    'system-ones-refused',
    { req: 'DELETE /api/v1/namespaces/default', full: true },
    { req: 'DELETE /api/v1/namespaces/kube-system', full: true },
  ),
  scenario(
    'claim-in-use',
    create('PersistentVolumeClaim', 'c', {
      spec: {
        accessModes: ['ReadWriteOnce'],
        storageClassName: 'none',
        resources: { requests: { storage: '1Gi' } },
      },
    }),
    drop,
    wait(1500),
    seen('after'),
  ),
  {
    name: 'in-another',
    steps: [
      {
        req: 'POST /api/v1/namespaces',
        body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: '$ns-two', labels: { a: 'b' } } },
      },
      wait(1000),
      view(
        'made',
        '/api/v1/namespaces/$ns-two',
        { get: '/api/v1/namespaces/$ns-two/serviceaccounts' },
        { get: '/api/v1/namespaces/$ns-two/configmaps', keepRootCA: true },
      ),
      remove('ConfigMap', 'none'),
      { req: `GET ${item('ConfigMap', 'x')}` },
    ],
  } satisfies Scenario as Scenario,
];
