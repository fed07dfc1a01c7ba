import type { JsonObject, Scenario, Step } from '../scenario.ts';
import {
  collection,
  create,
  events,
  onNodes,
  patch,
  remove,
  scenario,
  selector,
  template,
  view,
  wait,
  type PodParts,
} from './building.ts';

const set = (spec: JsonObject, parts: PodParts = {}): Step =>
  create('DaemonSet', 'agent', { spec: { selector, template: template(parts), ...spec } });
const pods = { get: collection('Pod'), drop: ['status.podIP', 'status.podIPs'] };
const seen = (name: string) => view(name, 'DaemonSet', 'ControllerRevision', pods);
const change = (spec: JsonObject) => patch('DaemonSet', 'agent', { spec });
const image = (tag: string, run?: string) =>
  change({
    template: {
      metadata: { annotations: { 'sim/run': run ?? null } },
      spec: { containers: [{ name: 'c', image: `img:${tag}` }] },
    },
  });
const rolling = (maxSurge: number | string, maxUnavailable: number | string) => ({
  updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge, maxUnavailable } },
});
const four = ['a', 'b', 'c', 'd'].map((name) => ({ name }));
const taint = (effect: string, key = 'k') => [{ key, value: 'v', effect }];
const node = (name: string, body: JsonObject): Step => ({ req: `PATCH /api/v1/nodes/${name}`, body });

export const daemonsetScenarios: readonly Scenario[] = [
  onNodes(
    'update-stuck-two',
    four,
    set(rolling(0, 2)),
    seen('before'),
    image('2', 'running'),
    view('stuck', 'DaemonSet'),
    events({ kinds: ['DaemonSet'], reasons: ['x'] }),
  ),
  onNodes(
    'update-percent',
    four,
    set(rolling(0, '50%')),
    seen('before'),
    image('2', 'running'),
    view('stuck', 'DaemonSet'),
  ),
  onNodes(
    'surge-percent-stuck',
    four,
    set(rolling('50%', 0)),
    seen('before'),
    image('2', 'running'),
    view('stuck', 'DaemonSet'),
    image('3'),
    seen('after'),
  ),
  onNodes('surge-all', four, set(rolling('100%', 0)), seen('before'), image('2'), seen('after')),
  onNodes(
    'not-ready-updated-first',
    [{ name: 'a' }, { name: 'b' }],
    set(rolling(0, 1)),
    seen('before'),
    { pods: { selector: 'app=web', do: 'running', count: 2 } },
    view('unready', 'DaemonSet'),
    image('2', 'running'),
    seen('after'),
  ),
  onNodes(
    'affinity-term',
    [{ name: 'a', labels: { disk: 'ssd' } }, { name: 'b', labels: { disk: 'hdd' } }, { name: 'c' }],
    set(
      {},
      {
        spec: {
          containers: [{ name: 'c', image: 'img:1' }],
          affinity: {
            nodeAffinity: {
              requiredDuringSchedulingIgnoredDuringExecution: {
                nodeSelectorTerms: [
                  { matchExpressions: [{ key: 'disk', operator: 'Exists' }] },
                  { matchFields: [{ key: 'metadata.name', operator: 'In', values: ['c'] }] },
                ],
              },
            },
          },
        },
      },
    ),
    seen('after'),
  ),
  onNodes(
    'affinity-matches-not',
    [{ name: 'a' }],
    set(
      {},
      {
        spec: {
          containers: [{ name: 'c', image: 'img:1' }],
          affinity: {
            nodeAffinity: {
              requiredDuringSchedulingIgnoredDuringExecution: {
                nodeSelectorTerms: [{ matchExpressions: [{ key: 'disk', operator: 'Exists' }] }],
              },
            },
          },
        },
      },
    ),
    seen('after'),
    events(),
  ),
  onNodes(
    'label-removed-later',
    [
      { name: 'a', labels: { run: 'yes' } },
      { name: 'b', labels: { run: 'yes' } },
    ],
    set({}, { spec: { containers: [{ name: 'c', image: 'img:1' }], nodeSelector: { run: 'yes' } } }),
    seen('before'),
    node('b', { metadata: { labels: { run: null } } }),
    seen('after'),
    node('b', { metadata: { labels: { run: 'yes' } } }),
    seen('again'),
    events({ kinds: ['DaemonSet'] }),
  ),
  onNodes(
    'no-execute-added',
    [{ name: 'a' }, { name: 'b' }],
    set({}),
    seen('before'),
    node('b', { spec: { taints: taint('NoExecute') } }),
    seen('after'),
    events({ kinds: ['DaemonSet'], reasons: ['SuccessfulDelete'] }),
  ),
  onNodes(
    'no-schedule-added',
    [{ name: 'a' }, { name: 'b' }],
    set({}),
    seen('before'),
    node('b', { spec: { taints: taint('NoSchedule') } }),
    seen('after'),
    { pods: { selector: 'app=web', do: 'delete', count: 2 } },
    seen('deleted'),
  ),
  onNodes(
    'tolerates-all',
    [
      { name: 'a', taints: taint('NoSchedule') },
      { name: 'b', taints: taint('NoExecute') },
      { name: 'c', taints: taint('PreferNoSchedule') },
    ],
    set({}, { spec: { containers: [{ name: 'c', image: 'img:1' }], tolerations: [{ operator: 'Exists' }] } }),
    seen('after'),
  ),
  onNodes(
    'host-network-tolerations',
    [{ name: 'a' }],
    set(
      {},
      {
        spec: {
          containers: [{ name: 'c', image: 'img:1', ports: [{ containerPort: 80, hostPort: 80 }] }],
          hostNetwork: true,
        },
      },
    ),
    seen('after'),
  ),
  onNodes(
    'host-port-in-the-way',
    [{ name: 'a' }],
    create('Pod', 'p', {
      spec: { containers: [{ name: 'c', image: 'i', ports: [{ containerPort: 80, hostPort: 80 }] }] },
    }),
    wait(1000),
    set(
      {},
      { spec: { containers: [{ name: 'c', image: 'img:1', ports: [{ containerPort: 80, hostPort: 80 }] }] } },
    ),
    seen('after'),
    events(),
  ),
  onNodes(
    'critical-preempts',
    [{ name: 'a', allocatable: { cpu: '1' } }],
    create('Pod', 'p', {
      spec: { containers: [{ name: 'c', image: 'i', resources: { requests: { cpu: '1' } } }] },
    }),
    wait(1000),
    set(
      {},
      {
        requests: { cpu: '1' },
        spec: {
          priorityClassName: 'system-node-critical',
          containers: [{ name: 'c', image: 'img:1', resources: { requests: { cpu: '1' } } }],
        },
      },
    ),
    seen('after'),
    events(),
  ),
  onNodes(
    'on-delete-then-deleted',
    [{ name: 'a' }, { name: 'b' }],
    set({ updateStrategy: { type: 'OnDelete' } }),
    seen('before'),
    image('2'),
    seen('updated'),
    { pods: { selector: 'app=web', do: 'delete', count: 2 } },
    seen('after'),
    change({ updateStrategy: { type: 'RollingUpdate' } }),
    image('3'),
    seen('rolled'),
  ),
  onNodes(
    'min-ready-seconds',
    [{ name: 'a' }, { name: 'b' }],
    set({ minReadySeconds: 600 }),
    seen('before'),
    image('2'),
    seen('after'),
  ),
  onNodes(
    'history-limit-one',
    [{ name: 'a' }],
    set({ revisionHistoryLimit: 1 }),
    seen('1'),
    image('2'),
    seen('2'),
    image('3'),
    seen('3'),
    image('1'),
    seen('1 again'),
  ),
  onNodes(
    'history-limit-zero',
    [{ name: 'a' }],
    set({ revisionHistoryLimit: 0 }),
    seen('1'),
    image('2'),
    seen('2'),
  ),
  onNodes(
    'foreground',
    [{ name: 'a' }],
    set({}),
    seen('before'),
    remove('DaemonSet', 'agent', { propagationPolicy: 'Foreground' }),
    seen('after'),
  ),
  onNodes(
    'orphan-adopt',
    [{ name: 'a' }, { name: 'b' }],
    set({}),
    seen('before'),
    remove('DaemonSet', 'agent', { propagationPolicy: 'Orphan' }),
    seen('orphans'),
    set({}),
    seen('adopted'),
    events({ kinds: ['DaemonSet'] }),
  ),
  onNodes(
    'orphan-adopt-other-template',
    [{ name: 'a' }],
    set({}),
    seen('before'),
    remove('DaemonSet', 'agent', { propagationPolicy: 'Orphan' }),
    seen('orphans'),
    set({}, { spec: { containers: [{ name: 'c', image: 'img:2' }] } }),
    seen('adopted'),
  ),
  onNodes(
    'succeeded-pod',
    [{ name: 'a' }],
    set({}),
    seen('before'),
    { pods: { selector: 'app=web', do: 'succeed' } },
    seen('after'),
    events(),
  ),
  onNodes(
    'relabelled-pod',
    [{ name: 'a' }],
    set({}),
    seen('before'),
    { name: 'l', req: 'GET /api/v1/namespaces/$ns/pods' },
    {
      req: 'PATCH /api/v1/namespaces/$ns/pods/$l.items[0].metadata.name',
      body: { metadata: { labels: { app: 'x' } } },
    },
    seen('after'),
  ),
  onNodes(
    'selector-of-no-node',
    [{ name: 'a' }],
    set({}, { spec: { containers: [{ name: 'c', image: 'img:1' }], nodeSelector: { x: 'y' } } }),
    seen('none'),
    { addNode: { name: 'late', labels: { x: 'y' } } },
    seen('one'),
  ),
  onNodes(
    'node-becomes-unready',
    [{ name: 'a' }, { name: 'b' }],
    set({}),
    seen('before'),
    { node: { name: 'b', ready: false } },
    seen('after'),
  ),
  onNodes(
    'pressure',
    [{ name: 'a' }],
    { node: { name: 'a', condition: { type: 'MemoryPressure', status: 'True' } } },
    wait(1000),
    set({}),
    seen('after'),
  ),
  onNodes(
    'quota',
    [{ name: 'a' }, { name: 'b' }],
    create('ResourceQuota', 'q', { spec: { hard: { pods: '1' } } }),
    wait(800),
    set({}),
    view('after', 'DaemonSet'),
    events({ kinds: ['DaemonSet'], reasons: ['FailedCreate'] }),
  ),
  onNodes(
    'lingering-update',
    [{ name: 'a' }],
    set({}, { run: 'ready;linger' }),
    seen('before'),
    image('2', 'ready'),
    seen('waiting'),
    { pods: { selector: 'app=web', do: 'finalise', terminating: true } },
    seen('after'),
  ),
  scenario(
    'empty-selector-refused',
    create('DaemonSet', 'agent', { spec: { selector: {}, template: template() } }),
  ),
  onNodes(
    'selected-by-field-and-label',
    four,
    set(
      {},
      {
        spec: {
          affinity: {
            nodeAffinity: {
              requiredDuringSchedulingIgnoredDuringExecution: {
                nodeSelectorTerms: [
                  { matchFields: [{ key: 'metadata.name', operator: 'In', values: ['a'] }] },
                  { matchExpressions: [{ key: 'k', operator: 'Exists' }] },
                ],
              },
            },
          },
        },
      },
    ),
    seen('one'),
    node('c', { metadata: { labels: { k: 'x' } } }),
    seen('two'),
  ),
  onNodes(
    'two-sets-with-one-host-port',
    [{ name: 'a' }],
    set(
      {},
      { spec: { containers: [{ name: 'c', image: 'img:1', ports: [{ containerPort: 80, hostPort: 80 }] }] } },
    ),
    seen('first'),
    {
      req: `POST ${collection('DaemonSet')}`,
      body: {
        apiVersion: 'apps/v1',
        kind: 'DaemonSet',
        metadata: { name: 'second' },
        spec: {
          selector: { matchLabels: { d: 's' } },
          template: {
            metadata: { labels: { d: 's' } },
            spec: {
              containers: [{ name: 'c', image: 'img:1', ports: [{ containerPort: 80, hostPort: 80 }] }],
            },
          },
        },
      },
    },
    seen('second waits'),
    events(),
  ),
  onNodes(
    'updated-while-a-node-is-cordoned',
    four,
    set({}),
    seen('before'),
    node('b', { spec: { unschedulable: true } }),
    image('2'),
    seen('after'),
  ),
  onNodes(
    'max-unavailable-two-stuck',
    four,
    set({ updateStrategy: rolling(0, 2) }),
    seen('before'),
    image('2', 'running'),
    seen('stuck'),
    image('3'),
    seen('after'),
  ),
  onNodes(
    'rolled-back-while-stuck',
    four,
    set({ updateStrategy: rolling(0, 1) }),
    seen('before'),
    image('2', 'running'),
    seen('stuck'),
    image('1'),
    seen('back'),
    events(),
  ),
  onNodes(
    'surge-to-on-delete',
    [{ name: 'a' }, { name: 'b' }],
    set({ updateStrategy: rolling(1, 0) }),
    seen('before'),
    image('2', 'running'),
    seen('stuck'),
    change({ updateStrategy: { type: 'OnDelete', rollingUpdate: null } }),
    seen('on delete'),
  ),
  onNodes(
    'pod-moved-by-hand-to-other-node',
    [{ name: 'a' }, { name: 'b' }],
    set(
      {},
      {
        spec: {
          containers: [{ name: 'c', image: 'img:1' }],
          nodeSelector: { 'kubernetes.io/hostname': 'a' },
        },
      },
    ),
    seen('before'),
    create('Pod', 'extra', {
      metadata: { labels: { app: 'web' } },
      spec: { nodeName: 'b', containers: [{ name: 'c', image: 'img:1' }] },
    }),
    seen('after'),
  ),
  onNodes(
    'two-of-its-pods-on-one-node',
    [{ name: 'a' }],
    create('Pod', 'older', {
      metadata: { labels: { app: 'web' } },
      spec: { nodeName: 'a', containers: [{ name: 'c', image: 'img:1' }] },
    }),
    create('Pod', 'newer', {
      metadata: { labels: { app: 'web' } },
      spec: { nodeName: 'a', containers: [{ name: 'c', image: 'img:1' }] },
    }),
    wait(1500),
    set({}),
    seen('after'),
  ),
  onNodes(
    'surge-and-host-port-refused',
    [{ name: 'a' }],
    {
      ...set(
        { updateStrategy: rolling(1, 0) },
        {
          spec: { containers: [{ name: 'c', image: 'img:1', ports: [{ containerPort: 80, hostPort: 80 }] }] },
        },
      ),
      full: true,
    },
    { ...set({ updateStrategy: rolling(0, 0) }), full: true },
    { ...set({ updateStrategy: rolling(1, 1) }), full: true },
  ),
];
