import type { JsonObject, Scenario, Step } from '../scenario.ts';
import {
  create,
  events,
  patch,
  pod,
  remove,
  scale,
  scenario,
  selector,
  template,
  view,
  wait,
  type PodParts,
} from './building.ts';

const set = (spec: JsonObject, parts: PodParts = {}): Step =>
  create('ReplicaSet', 'web', { spec: { selector, template: template(parts), ...spec } });
const seen = (name: string) => view(name, 'ReplicaSet', 'Pod');
const controller = (spec: JsonObject, parts: PodParts = {}): Step =>
  create('ReplicationController', 'web', {
    spec: { selector: { app: 'web' }, template: template(parts), ...spec },
  });
const seenController = (name: string) => view(name, 'ReplicationController', 'Pod');
const owned = (name: string, owner: JsonObject, parts: PodParts = {}): Step =>
  pod(name, { ...parts, metadata: { labels: { app: 'web' }, ownerReferences: [owner] } });
const costs = (cost: string, name: string): Step =>
  pod(name, {
    metadata: { labels: { app: 'web' }, annotations: { 'controller.kubernetes.io/pod-deletion-cost': cost } },
  });

export const replicasetScenarios: readonly Scenario[] = [
  scenario(
    'many-then-few',
    set({ replicas: 12 }),
    seen('many'),
    scale('ReplicaSet', 'web', 3),
    seen('few'),
    events({ kinds: ['ReplicaSet'], reasons: ['SuccessfulDelete'] }),
  ),
  scenario(
    'template-changed',
    set({ replicas: 1 }),
    seen('before'),
    patch('ReplicaSet', 'web', {
      spec: { template: { spec: { containers: [{ name: 'c', image: 'img:2' }] } } },
    }),
    scale('ReplicaSet', 'web', 2),
    seen('after'),
  ),
  scenario(
    'min-ready-seconds',
    set({ replicas: 2, minReadySeconds: 2 }),
    wait(2500),
    seen('ready'),
    patch('ReplicaSet', 'web', { spec: { minReadySeconds: 500 } }),
    seen('later'),
  ),
  scenario(
    'not-ready',
    set({ replicas: 3 }, { run: 'running' }),
    seen('before'),
    { pods: { selector: 'app=web', do: 'ready', count: 1 } },
    seen('one'),
  ),
  scenario(
    'succeeded-is-replaced',
    set({ replicas: 2 }),
    seen('before'),
    { pods: { selector: 'app=web', do: 'succeed', count: 1 } },
    seen('after'),
  ),
  scenario(
    'lingering',
    set({ replicas: 3 }, { run: 'ready;linger' }),
    seen('before'),
    scale('ReplicaSet', 'web', 1),
    seen('stopping'),
    scale('ReplicaSet', 'web', 3),
    seen('up again'),
    remove('ReplicaSet', 'web'),
    seen('gone'),
  ),
  scenario(
    'foreground-with-lingering',
    set({ replicas: 2 }, { run: 'ready;linger' }),
    seen('before'),
    remove('ReplicaSet', 'web', { propagationPolicy: 'Foreground' }),
    seen('waiting'),
    { pods: { selector: 'app=web', do: 'finalise', count: 2, terminating: true } },
    seen('gone'),
  ),
  scenario(
    'orphaned-pods',
    set({ replicas: 2 }),
    seen('before'),
    remove('ReplicaSet', 'web', { propagationPolicy: 'Orphan' }),
    seen('orphans'),
    set({ replicas: 2 }),
    seen('adopted'),
    events({ kinds: ['ReplicaSet'] }),
  ),
  scenario(
    'adopts-none-of-another',
    pod('mine', { labels: { app: 'web' } }),
    owned('other', { apiVersion: 'v1', kind: 'ConfigMap', name: 'x', uid: 'a-uid', controller: true }),
    set({ replicas: 2 }),
    seen('after'),
  ),
  scenario(
    'adopts-with-other-owner',
    create('ConfigMap', 'x', {}, { name: 'cm' }),
    owned('other', { apiVersion: 'v1', kind: 'ConfigMap', name: 'x', uid: '$cm.metadata.uid' }),
    set({ replicas: 2 }),
    seen('after'),
  ),
  scenario(
    'selector-expressions',
    create('ReplicaSet', 'web', {
      spec: {
        replicas: 2,
        selector: {
          matchExpressions: [
            { key: 'app', operator: 'In', values: ['web', 'shop'] },
            { key: 'old', operator: 'DoesNotExist' },
          ],
        },
        template: template(),
      },
    }),
    pod('shop', { labels: { app: 'shop' } }),
    pod('old', { labels: { app: 'web', old: 'y' } }),
    seen('after'),
  ),
  scenario(
    'deletion-cost-order',
    costs('5', 'a'),
    costs('-3', 'b'),
    costs('0', 'c'),
    costs('100', 'd'),
    wait(1500),
    set({ replicas: 2 }),
    seen('after'),
  ),
  scenario(
    'zero',
    set({ replicas: 0 }),
    seen('zero'),
    scale('ReplicaSet', 'web', 1),
    seen('one'),
    scale('ReplicaSet', 'web', 0),
    seen('zero again'),
    events(),
  ),
  scenario(
    'quota-condition-clears',
    create('ResourceQuota', 'q', { spec: { hard: { pods: '1' } } }),
    wait(800),
    set({ replicas: 2 }),
    seen('short'),
    scale('ReplicaSet', 'web', 1),
    seen('enough'),
    events({ kinds: ['ReplicaSet'] }),
  ),
  scenario(
    'forbidden-template',
    set({ replicas: 1 }, { spec: { serviceAccountName: 'missing' } }),
    seen('after'),
    events(),
  ),
  scenario(
    'limit-range',
    {
      req: 'POST /api/v1/namespaces/$ns/limitranges',
      body: {
        metadata: { name: 'l' },
        spec: {
          limits: [
            {
              type: 'Container',
              max: { cpu: '1' },
              default: { cpu: '500m' },
              defaultRequest: { cpu: '100m' },
            },
          ],
        },
      },
    },
    set(
      { replicas: 1 },
      { spec: { containers: [{ name: 'c', image: 'i', resources: { limits: { cpu: '2' } } }] } },
    ),
    seen('refused'),
    events(),
  ),
  scenario(
    'controller-scaled',
    controller({ replicas: 3 }),
    seenController('three'),
    scale('ReplicationController', 'web', 1),
    seenController('one'),
    events({ kinds: ['ReplicationController'], reasons: ['SuccessfulDelete'] }),
  ),
  scenario(
    'controller-adopts',
    pod('p', { labels: { app: 'web' } }),
    controller({ replicas: 2 }),
    seenController('after'),
    { req: 'PATCH /api/v1/namespaces/$ns/pods/p', body: { metadata: { labels: { app: 'x' } } } },
    seenController('released'),
  ),
  scenario(
    'controller-min-ready',
    controller({ replicas: 1, minReadySeconds: 300 }),
    seenController('after'),
  ),
  scenario(
    'controller-quota',
    create('ResourceQuota', 'q', { spec: { hard: { pods: '0' } } }),
    wait(800),
    controller({ replicas: 1 }),
    seenController('after'),
    events(),
  ),
  scenario(
    'controller-selector-changed',
    controller({ replicas: 2 }),
    seenController('before'),
    patch('ReplicationController', 'web', {
      spec: { selector: { app: 'b' }, template: { metadata: { labels: { app: 'b' } } } },
    }),
    seenController('after'),
  ),
  scenario(
    'controller-orphan',
    controller({ replicas: 2 }),
    seenController('before'),
    { req: 'DELETE /api/v1/namespaces/$ns/replicationcontrollers/web?orphanDependents=true' },
    seenController('after'),
  ),
  scenario(
    'set-selector-overlaps-controller',
    controller({ replicas: 1 }),
    seenController('c'),
    set({ replicas: 1 }),
    view('both', 'ReplicationController', 'ReplicaSet', 'Pod'),
  ),
  scenario(
    'two-sets-compete',
    set({ replicas: 1 }),
    seen('first'),
    create('ReplicaSet', 'other', { spec: { replicas: 1, selector, template: template() } }),
    pod('free', { labels: { app: 'web' } }),
    view('both', 'ReplicaSet'),
  ),
  scenario(
    'generate-name-long',
    create('ReplicaSet', 'a-rather-long-name-of-a-replica-set-that-goes-on-and-on', {
      spec: { replicas: 1, selector, template: template() },
    }),
    seen('after'),
  ),
  scenario(
    'finalizer-on-pod-template',
    set({ replicas: 2 }, { metadata: { labels: { app: 'web' }, finalizers: ['x.org/f'] } }),
    seen('before'),
    scale('ReplicaSet', 'web', 1),
    seen('scaled'),
  ),
  scenario(
    'pod-generate-name-and-annotations',
    set(
      { replicas: 1 },
      { metadata: { labels: { app: 'web', more: 'x' }, annotations: { a: 'b' }, name: 'ignored' } },
    ),
    seen('after'),
  ),
  scenario(
    'selector-without-template-labels-refused',
    { ...set({ replicas: 1 }, { labels: { app: 'other' } }), full: true },
    { ...set({ replicas: -1 }), full: true },
  ),
  scenario(
    'deleted-while-scaling',
    set({ replicas: 2 }, { run: 'ready;linger' }),
    seen('before'),
    scale('ReplicaSet', 'web', 0),
    seen('down'),
    remove('ReplicaSet', 'web'),
    wait(1000),
    seen('after'),
  ),
  scenario(
    'orphan-then-new-owner',
    set({ replicas: 2 }),
    seen('before'),
    remove('ReplicaSet', 'web', { propagationPolicy: 'Orphan' }),
    wait(1500),
    create('ReplicaSet', 'other', { spec: { replicas: 1, selector, template: template() } }),
    seen('after'),
  ),
  scenario(
    'evicted-pod-replaced',
    set({ replicas: 1 }),
    seen('before'),
    { pods: { selector: 'app=web', do: 'fail:137:Evicted' } },
    seen('after'),
  ),
  scenario(
    'unready-then-scaled-down',
    set({ replicas: 3 }),
    seen('before'),
    { pods: { selector: 'app=web', do: 'running', count: 1 } },
    wait(500),
    scale('ReplicaSet', 'web', 2),
    seen('after'),
  ),
];
