/** What the scheduler makes of pods and nodes, in seven areas. */
import type { JsonObject, NodeSpec, Scenario, Step } from '../scenario.ts';
import {
  collection,
  container,
  create,
  events,
  item,
  object,
  onNodes,
  placed,
  pod,
  podReady,
  remove,
  template,
  view,
  wait,
} from './building.ts';
import type { PodParts } from './building.ts';

const node = (name: string, more: Partial<NodeSpec> = {}): NodeSpec => ({ name, ...more });
const cpus = (name: string, cpu: string, more: Partial<NodeSpec> = {}): NodeSpec => ({
  name,
  allocatable: { cpu },
  ...more,
});
const inZone = (name: string, zone: string, more: Partial<NodeSpec> = {}): NodeSpec => ({
  name,
  ...more,
  labels: { 'topology.kubernetes.io/zone': zone, ...more.labels },
});
const end = (name = 'end') => view(name, placed);
const asks = (name: string, cpu: string, parts: PodParts = {}): Step =>
  pod(name, { ...parts, requests: { cpu } });
const withSpec = (name: string, spec: JsonObject, parts: PodParts = {}): Step =>
  pod(name, { ...parts, spec: { containers: [container(parts.requests)], ...spec } });
const patchNode = (name: string, body: JsonObject, sub = ''): Step => ({
  req: `PATCH /api/v1/nodes/${name}${sub}`,
  body,
});
const patchPod = (name: string, body: JsonObject): Step => ({ req: `PATCH ${item('Pod', name)}`, body });
const required = (...terms: JsonObject[]): JsonObject => ({
  nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms } },
});
const expression = (key: string, operator: string, ...values: string[]): JsonObject => ({
  matchExpressions: [{ key, operator, ...(values.length > 0 ? { values } : {}) }],
});
const preferred = (...weighted: [number, JsonObject][]): JsonObject => ({
  nodeAffinity: {
    preferredDuringSchedulingIgnoredDuringExecution: weighted.map(([weight, preference]) => ({
      weight,
      preference,
    })),
  },
});
const zone = 'topology.kubernetes.io/zone';
const host = 'kubernetes.io/hostname';
const near = (app: string, topologyKey: string, more: JsonObject = {}): JsonObject => ({
  labelSelector: { matchLabels: { app } },
  topologyKey,
  ...more,
});
const together = (...terms: JsonObject[]) => ({
  affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: terms } },
});
const apart = (...terms: JsonObject[]) => ({
  affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: terms } },
});
const spread = (constraint: JsonObject, app = 'web'): JsonObject => ({
  maxSkew: 1,
  topologyKey: zone,
  whenUnsatisfiable: 'DoNotSchedule',
  labelSelector: { matchLabels: { app } },
  ...constraint,
});
const labels = { app: 'web' };
const priority = (name: string, value: number, more: JsonObject = {}): Step => ({
  req: `POST ${collection('PriorityClass')}`,
  body: object('PriorityClass', `${name}-$id`, { value, ...more }),
});
const important = (name: string, cpu: string, className: string, parts: PodParts = {}): Step =>
  pod(name, {
    ...parts,
    spec: { containers: [container({ cpu })], priorityClassName: `${className}-$id`, ...parts.spec },
  });
const ladder = [priority('low', 10), priority('mid', 100), priority('high', 1000)];
const taint = (key: string, effect: string, value?: string): JsonObject => ({
  key,
  effect,
  ...(value === undefined ? {} : { value }),
});

export const fitScenarios: readonly Scenario[] = [
  onNodes('exact-fit', [cpus('a', '1')], asks('x', '1'), end(), events()),
  onNodes(
    'one-too-many',
    [cpus('a', '1')],
    asks('x', '600m'),
    podReady('x'),
    asks('y', '600m'),
    end(),
    events(),
  ),
  onNodes(
    'memory-and-storage',
    [node('a', { allocatable: { memory: '1Gi', 'ephemeral-storage': '1Gi' } })],
    pod('x', { requests: { memory: '2Gi', 'ephemeral-storage': '2Gi' } }),
    end(),
    events(),
  ),
  onNodes(
    'hugepages-missing',
    [node('a')],
    withSpec('x', {
      containers: [
        {
          name: 'c',
          image: 'i',
          resources: {
            requests: { cpu: '1', 'hugepages-2Mi': '4Mi' },
            limits: { cpu: '1', 'hugepages-2Mi': '4Mi' },
          },
        },
      ],
    }),
    end(),
    events(),
  ),
  onNodes(
    'two-extended-resources',
    [node('a', { allocatable: { 'x.org/a': '2' } }), node('b', { allocatable: { 'x.org/b': '1' } })],
    withSpec('x', {
      containers: [{ name: 'c', image: 'i', resources: { limits: { 'x.org/a': '1', 'x.org/b': '1' } } }],
    }),
    end(),
    events(),
  ),
  onNodes(
    'overhead',
    [cpus('a', '1')],
    {
      req: 'POST /apis/node.k8s.io/v1/runtimeclasses',
      body: { metadata: { name: 'rc-$id' }, handler: 'h', overhead: { podFixed: { cpu: '500m' } } },
    },
    withSpec('x', { runtimeClassName: 'rc-$id' }, { requests: { cpu: '600m' } }),
    end(),
    events(),
  ),
  onNodes(
    'runtime-class-selects-node',
    [node('a'), node('b', { labels: { rt: 'y' } })],
    {
      req: 'POST /apis/node.k8s.io/v1/runtimeclasses',
      body: {
        metadata: { name: 'rc-$id' },
        handler: 'h',
        scheduling: { nodeSelector: { rt: 'y' }, tolerations: [{ key: 'k', operator: 'Exists' }] },
      },
    },
    withSpec('x', { runtimeClassName: 'rc-$id' }),
    end(),
    events(),
  ),
  onNodes('best-effort-on-full-node', [cpus('a', '1')], asks('x', '1'), podReady('x'), pod('y'), end()),
  onNodes(
    'pods-limit-three-nodes',
    [
      node('a', { allocatable: { pods: '1' } }),
      node('b', { allocatable: { pods: '1' } }),
      node('c', { allocatable: { pods: '0' } }),
    ],
    pod('x'),
    podReady('x'),
    pod('y'),
    podReady('y'),
    pod('z'),
    end(),
    events(),
  ),
  onNodes(
    'finished-pods-free-room',
    [cpus('a', '1')],
    asks('x', '1'),
    podReady('x'),
    asks('y', '1'),
    end('waiting'),
    { pods: { selector: 'name=x', do: 'succeed' } },
    end('after'),
    events(),
  ),
  onNodes(
    'requests-lowered-by-resize',
    [cpus('a', '2')],
    asks('x', '2'),
    podReady('x'),
    asks('y', '1'),
    end('waiting'),
    {
      req: `PATCH ${item('Pod', 'x')}/resize`,
      type: 'application/strategic-merge-patch+json',
      body: { spec: { containers: [{ name: 'c', resources: { requests: { cpu: '1' } } }] } },
    },
    end('after'),
    events(),
  ),
  onNodes(
    'node-grows',
    [cpus('a', '1')],
    asks('x', '2'),
    end('waiting'),
    patchNode('a', { status: { allocatable: { cpu: '4' } } }, '/status'),
    end('after'),
    events(),
  ),
  onNodes(
    'uncordoned',
    [node('a', { spec: { unschedulable: true } })],
    pod('x'),
    end('waiting'),
    patchNode('a', { spec: { unschedulable: false } }),
    end('after'),
    events(),
  ),
  onNodes('unready-node', [node('a', { ready: false })], pod('x'), end(), events()),
  onNodes(
    'not-ready-then-ready',
    [node('a', { ready: false })],
    pod('x'),
    end('waiting'),
    { node: { name: 'a', ready: true } },
    end('after'),
  ),
  onNodes(
    'host-ports-of-addresses',
    [node('a')],
    withSpec('x', {
      containers: [
        { name: 'c', image: 'i', ports: [{ containerPort: 1, hostPort: 80, hostIP: '10.0.0.1' }] },
      ],
    }),
    podReady('x'),
    withSpec('y', {
      containers: [
        { name: 'c', image: 'i', ports: [{ containerPort: 1, hostPort: 80, hostIP: '10.0.0.2' }] },
      ],
    }),
    podReady('y'),
    withSpec('z', { containers: [{ name: 'c', image: 'i', ports: [{ containerPort: 1, hostPort: 80 }] }] }),
    end(),
    events(),
  ),
  onNodes(
    'host-ports-of-protocols',
    [node('a')],
    withSpec('x', {
      containers: [{ name: 'c', image: 'i', ports: [{ containerPort: 1, hostPort: 80, protocol: 'UDP' }] }],
    }),
    podReady('x'),
    withSpec('y', { containers: [{ name: 'c', image: 'i', ports: [{ containerPort: 1, hostPort: 80 }] }] }),
    end(),
  ),
  onNodes(
    'host-port-freed',
    [node('a')],
    withSpec('x', { containers: [{ name: 'c', image: 'i', ports: [{ containerPort: 1, hostPort: 80 }] }] }),
    podReady('x'),
    withSpec('y', { containers: [{ name: 'c', image: 'i', ports: [{ containerPort: 1, hostPort: 80 }] }] }),
    end('waiting'),
    remove('Pod', 'x'),
    end('after'),
    events(),
  ),
  onNodes(
    'init-and-sidecar-together',
    [cpus('a', '3')],
    withSpec('x', {
      initContainers: [
        { name: 's', image: 'i', restartPolicy: 'Always', resources: { requests: { cpu: '1' } } },
        { name: 'i', image: 'i', resources: { requests: { cpu: '2500m' } } },
      ],
      containers: [container({ cpu: '1' })],
    }),
    end(),
    events(),
  ),
  onNodes(
    'pod-level-limits-only',
    [cpus('a', '1')],
    withSpec('x', { resources: { limits: { cpu: '2' } } }),
    end(),
    events(),
  ),
  onNodes(
    'image-locality-prefers',
    [node('a', { images: [{ names: ['big:1'], sizeBytes: 900_000_000 }] }), node('b')],
    withSpec('x', { containers: [{ name: 'c', image: 'big:1' }] }),
    end(),
  ),
  onNodes(
    'spreader-profile',
    [cpus('a', '8'), cpus('b', '2')],
    ...['1', '2', '3'].flatMap((n) => [
      withSpec(`x${n}`, { schedulerName: 'spreader' }, { requests: { cpu: '500m' } }),
      podReady(`x${n}`),
    ]),
    end(),
  ),
  onNodes(
    'packer-profile-two-sizes',
    [cpus('a', '8'), cpus('b', '4')],
    ...['1', '2', '3'].flatMap((n) => [
      withSpec(`x${n}`, { schedulerName: 'packer' }, { requests: { cpu: '1' } }),
      podReady(`x${n}`),
    ]),
    end(),
  ),
  onNodes(
    'requested-to-many-nodes',
    Array.from({ length: 12 }, (_, at) => cpus(`n${at}`, '1')),
    asks('x', '2'),
    end(),
    events(),
  ),
  onNodes(
    'node-deleted-while-waiting',
    [cpus('a', '1'), cpus('b', '1')],
    asks('x', '2'),
    end('two'),
    { removeNode: 'b' },
    asks('y', '2'),
    end('one'),
    events({ names: ['y'] }),
  ),
  onNodes(
    'binding-to-missing-node',
    [node('a')],
    withSpec('x', { schedulerName: 'none' }),
    {
      req: `POST ${item('Pod', 'x')}/binding`,
      body: {
        apiVersion: 'v1',
        kind: 'Binding',
        metadata: { name: 'x' },
        target: { kind: 'Node', name: 'nowhere' },
      },
    },
    end(),
  ),
  onNodes(
    'deleted-while-pending',
    [cpus('a', '1')],
    asks('x', '2'),
    end('waiting'),
    remove('Pod', 'x'),
    end('gone'),
    events(),
  ),
  onNodes(
    'labels-updated-while-pending',
    [node('a', { labels: { disk: 'ssd' } })],
    withSpec('x', { nodeSelector: { disk: 'hdd' } }),
    end('waiting'),
    patchNode('a', { metadata: { labels: { disk: 'hdd' } } }),
    end('after'),
  ),
];

export const affinityScenarios: readonly Scenario[] = [
  onNodes(
    'terms-are-alternatives',
    [node('a', { labels: { k: '1' } }), node('b', { labels: { l: '1' } })],
    withSpec('x', { affinity: required(expression('k', 'In', '9'), expression('l', 'Exists')) }),
    end(),
  ),
  onNodes(
    'gt-and-lt',
    [node('a', { labels: { n: '5' } }), node('b', { labels: { n: '50' } })],
    withSpec('x', { affinity: required(expression('n', 'Gt', '10')) }),
    podReady('x'),
    withSpec('y', { affinity: required(expression('n', 'Lt', '10')) }),
    podReady('y'),
    withSpec('z', { affinity: required(expression('n', 'Gt', '100')) }),
    end(),
    events({ names: ['z'] }),
  ),
  onNodes(
    'not-in-and-absent',
    [node('a', { labels: { k: '1' } }), node('b')],
    withSpec('x', { affinity: required(expression('k', 'NotIn', '1')) }),
    podReady('x'),
    withSpec('y', { affinity: required(expression('k', 'DoesNotExist')) }),
    end(),
  ),
  onNodes(
    'match-fields-not-in',
    [node('a'), node('b')],
    withSpec('x', {
      affinity: required({ matchFields: [{ key: 'metadata.name', operator: 'NotIn', values: ['a'] }] }),
    }),
    end(),
  ),
  onNodes(
    'match-fields-missing-node',
    [node('a'), node('b')],
    withSpec('x', {
      affinity: required({ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['zz'] }] }),
    }),
    end(),
    events(),
  ),
  onNodes(
    'selector-and-affinity',
    [node('a', { labels: { k: '1' } }), node('b', { labels: { k: '1', l: '1' } })],
    withSpec('x', { nodeSelector: { k: '1' }, affinity: required(expression('l', 'Exists')) }),
    end(),
  ),
  onNodes('empty-terms', [node('a')], withSpec('x', { affinity: required({}) }), end(), events()),
  onNodes(
    'preferred-two-labels',
    [node('a', { labels: { k: '1' } }), node('b', { labels: { l: '1' } })],
    withSpec('x', { affinity: preferred([10, expression('k', 'Exists')], [60, expression('l', 'Exists')]) }),
    end(),
  ),
  onNodes(
    'affinity-of-two-terms',
    [inZone('a', 'z1'), inZone('b', 'z2')],
    withSpec('p', { nodeName: 'a' }, { labels: { app: 'p' } }),
    withSpec('q', { nodeName: 'b' }, { labels: { app: 'q' } }),
    podReady('p'),
    podReady('q'),
    withSpec('x', together(near('p', zone), near('q', zone))),
    end(),
    events({ names: ['x'] }),
  ),
  onNodes(
    'affinity-missing-key',
    [node('a'), inZone('b', 'z1')],
    withSpec('p', { nodeName: 'a' }, { labels: { app: 'p' } }),
    podReady('p'),
    withSpec('x', together(near('p', zone))),
    end(),
    events({ names: ['x'] }),
  ),
  onNodes(
    'affinity-namespace-selector',
    [node('a'), node('b')],
    withSpec('p', { nodeName: 'b' }, { labels: { app: 'p' } }),
    podReady('p'),
    withSpec('x', together(near('p', host, { namespaceSelector: {} }))),
    podReady('x'),
    withSpec('y', together(near('p', host, { namespaceSelector: { matchLabels: { no: 'such' } } }))),
    end(),
    events({ names: ['y'] }),
  ),
  onNodes(
    'mismatch-label-keys',
    [node('a'), node('b')],
    withSpec('p', { nodeName: 'a' }, { labels: { app: 'p', tenant: '1' } }),
    podReady('p'),
    withSpec('x', apart(near('p', host, { mismatchLabelKeys: ['tenant'] })), { labels: { tenant: '2' } }),
    podReady('x'),
    withSpec('y', together(near('p', host, { matchLabelKeys: ['tenant'] })), { labels: { tenant: '1' } }),
    end(),
  ),
  onNodes(
    'anti-affinity-zone',
    [inZone('a', 'z1'), inZone('b', 'z1'), inZone('c', 'z2')],
    ...['1', '2', '3'].flatMap((n) => [withSpec(`x${n}`, apart(near('web', zone)), { labels }), wait(700)]),
    view('end', {
      get: collection('Pod'),
      pick: [
        'metadata.name',
        'metadata.labels["topology.kubernetes.io/zone"]',
        'status.conditions[type=PodScheduled]',
      ],
    }),
    events({ names: ['x3'] }),
  ),
  onNodes(
    'anti-affinity-freed',
    [node('a')],
    withSpec('p', { nodeName: 'a' }, { labels: { app: 'web' } }),
    podReady('p'),
    withSpec('x', apart(near('web', host))),
    end('waiting'),
    remove('Pod', 'p'),
    end('after'),
    events({ names: ['x'] }),
  ),
  onNodes(
    'preferred-anti-affinity',
    [node('a'), node('b')],
    withSpec('p', { nodeName: 'a' }, { labels: { app: 'p' } }),
    podReady('p'),
    withSpec('x', {
      affinity: {
        podAntiAffinity: {
          preferredDuringSchedulingIgnoredDuringExecution: [
            { weight: 100, podAffinityTerm: near('p', host) },
          ],
        },
      },
    }),
    end(),
  ),
  onNodes(
    'symmetric-preference',
    [node('a'), node('b')],
    withSpec('p', {
      nodeName: 'b',
      affinity: {
        podAffinity: {
          preferredDuringSchedulingIgnoredDuringExecution: [
            { weight: 100, podAffinityTerm: near('web', host) },
          ],
        },
      },
    }),
    podReady('p'),
    pod('x', { labels }),
    end(),
  ),
  onNodes(
    'symmetric-required',
    [node('a'), node('b')],
    withSpec('p', { nodeName: 'b', ...together(near('web', host)) }),
    podReady('p'),
    pod('x', { labels }),
    end(),
  ),
  onNodes(
    'affinity-then-label-appears',
    [node('a')],
    withSpec('p', { nodeName: 'a' }),
    podReady('p'),
    withSpec('x', together(near('late', host))),
    end('waiting'),
    patchPod('p', { metadata: { labels: { app: 'late' } } }),
    end('after'),
  ),
  onNodes(
    'both-affinities-unmet',
    [node('a'), node('b', { labels: { k: '1' } })],
    withSpec('x', { nodeSelector: { k: '1' }, ...together(near('nobody', host)) }),
    end(),
    events(),
  ),
];

export const spreadScenarios: readonly Scenario[] = [
  onNodes(
    'two-zones-four-pods',
    [inZone('a', 'z1'), inZone('b', 'z2')],
    ...['1', '2', '3', '4'].flatMap((n) => [
      withSpec(`x${n}`, { topologySpreadConstraints: [spread({})] }, { labels }),
      wait(600),
    ]),
    view('end', { get: collection('Pod'), pick: ['metadata.labels', 'status.phase'] }),
  ),
  onNodes(
    'by-host',
    [node('a'), node('b')],
    withSpec('p', { nodeName: 'a' }, { labels }),
    podReady('p'),
    withSpec('x', { topologySpreadConstraints: [spread({ topologyKey: host })] }, { labels }),
    end(),
  ),
  onNodes(
    'full-zone-blocks',
    [inZone('a', 'z1', { allocatable: { cpu: '1' } }), inZone('b', 'z2')],
    withSpec('p', { nodeName: 'b' }, { labels }),
    podReady('p'),
    withSpec('x', { topologySpreadConstraints: [spread({})] }, { labels, requests: { cpu: '2' } }),
    end(),
    events({ names: ['x'] }),
  ),
  onNodes(
    'not-matching-itself',
    [inZone('a', 'z1'), inZone('b', 'z2')],
    withSpec('p', { nodeName: 'a' }, { labels }),
    podReady('p'),
    withSpec('x', { topologySpreadConstraints: [spread({})] }, { labels: { app: 'other' } }),
    end(),
  ),
  onNodes(
    'min-domains-unmet',
    [inZone('a', 'z1'), inZone('b', 'z2')],
    withSpec('x', { topologySpreadConstraints: [spread({ minDomains: 3 })] }, { labels }),
    podReady('x'),
    withSpec('y', { topologySpreadConstraints: [spread({ minDomains: 3 })] }, { labels }),
    podReady('y'),
    withSpec('z', { topologySpreadConstraints: [spread({ minDomains: 3 })] }, { labels }),
    end('end'),
    events({ names: ['z'] }),
  ),
  onNodes(
    'affinity-policy-ignore',
    [inZone('a', 'z1', { labels: { k: '1' } }), inZone('b', 'z2')],
    withSpec('p', { nodeName: 'a' }, { labels }),
    podReady('p'),
    withSpec(
      'x',
      { nodeSelector: { k: '1' }, topologySpreadConstraints: [spread({ nodeAffinityPolicy: 'Ignore' })] },
      { labels },
    ),
    end(),
    events({ names: ['x'] }),
  ),
  onNodes(
    'affinity-policy-honor',
    [inZone('a', 'z1', { labels: { k: '1' } }), inZone('b', 'z2')],
    withSpec('p', { nodeName: 'a' }, { labels }),
    podReady('p'),
    withSpec('x', { nodeSelector: { k: '1' }, topologySpreadConstraints: [spread({})] }, { labels }),
    end(),
  ),
  onNodes(
    'no-key-anywhere',
    [node('a'), node('b')],
    withSpec('x', { topologySpreadConstraints: [spread({})] }, { labels }),
    end(),
    events(),
  ),
  onNodes(
    'terminating-do-not-count',
    [inZone('a', 'z1'), inZone('b', 'z2')],
    withSpec('p', { nodeName: 'a' }, { labels, run: 'ready;linger' }),
    withSpec('q', { nodeName: 'b' }, { labels }),
    podReady('p'),
    podReady('q'),
    remove('Pod', 'p'),
    withSpec('x', { topologySpreadConstraints: [spread({})] }, { labels }),
    end(),
  ),
  onNodes(
    'anyway-and-not',
    [inZone('a', 'z1'), inZone('b', 'z1'), inZone('c', 'z2')],
    withSpec('p', { nodeName: 'a' }, { labels }),
    withSpec('q', { nodeName: 'c' }, { labels }),
    podReady('p'),
    podReady('q'),
    withSpec(
      'x',
      {
        topologySpreadConstraints: [
          spread({}),
          spread({ topologyKey: host, whenUnsatisfiable: 'ScheduleAnyway' }),
        ],
      },
      { labels },
    ),
    end(),
  ),
  onNodes(
    'unsatisfied-then-pod-goes',
    [inZone('a', 'z1'), inZone('b', 'z2', { allocatable: { cpu: '1' } })],
    withSpec('p', { nodeName: 'a' }, { labels }),
    podReady('p'),
    withSpec('f', { nodeName: 'b' }, { requests: { cpu: '1' } }),
    podReady('f'),
    withSpec('x', { topologySpreadConstraints: [spread({})] }, { labels, requests: { cpu: '1' } }),
    end('waiting'),
    remove('Pod', 'f'),
    end('after'),
    events({ names: ['x'] }),
  ),
  onNodes(
    'replicaset-default-spread',
    [inZone('a', 'z1'), inZone('b', 'z2')],
    create('ReplicaSet', 'web', {
      spec: { replicas: 2, selector: { matchLabels: labels }, template: template() },
    }),
    view('end', { get: collection('Pod'), pick: ['metadata.labels', 'status.phase'] }),
  ),
  onNodes(
    'match-label-keys-generation',
    [inZone('a', 'z1'), inZone('b', 'z2')],
    withSpec('p', { nodeName: 'a' }, { labels: { app: 'web', v: '1' } }),
    podReady('p'),
    withSpec(
      'x',
      { topologySpreadConstraints: [spread({ matchLabelKeys: ['v'] })] },
      { labels: { app: 'web', v: '2' } },
    ),
    end(),
  ),
];

export const taintScenarios: readonly Scenario[] = [
  onNodes(
    'two-taints-one-tolerated',
    [node('a', { taints: [taint('k', 'NoSchedule', 'v'), taint('l', 'NoSchedule')] })],
    withSpec('x', { tolerations: [{ key: 'k', operator: 'Exists' }] }),
    end(),
    events(),
  ),
  onNodes(
    'value-differs',
    [node('a', { taints: [taint('k', 'NoSchedule', 'v')] })],
    withSpec('x', { tolerations: [{ key: 'k', operator: 'Equal', value: 'w', effect: 'NoSchedule' }] }),
    end(),
    events(),
  ),
  onNodes(
    'empty-effect',
    [node('a', { taints: [taint('k', 'NoExecute', 'v')] })],
    withSpec('x', { tolerations: [{ key: 'k', value: 'v' }] }),
    end(),
  ),
  onNodes(
    'exists-everything',
    [node('a', { taints: [taint('k', 'NoExecute'), taint('l', 'NoSchedule')] })],
    withSpec('x', { tolerations: [{ operator: 'Exists' }] }),
    end(),
  ),
  onNodes(
    'prefers-fewer',
    [
      node('a', { taints: [taint('k', 'PreferNoSchedule'), taint('l', 'PreferNoSchedule')] }),
      node('b', { taints: [taint('k', 'PreferNoSchedule')] }),
    ],
    pod('x'),
    end(),
  ),
  onNodes('only-preferred-left', [node('a', { taints: [taint('k', 'PreferNoSchedule')] })], pod('x'), end()),
  onNodes(
    'three-kinds-of-reasons',
    [
      node('a', { taints: [taint('k', 'NoSchedule')] }),
      node('b', { spec: { unschedulable: true } }),
      cpus('c', '1'),
    ],
    asks('x', '2'),
    end(),
    events(),
  ),
  onNodes(
    'taint-added-to-running',
    [node('a')],
    pod('x'),
    podReady('x'),
    patchNode('a', { spec: { taints: [taint('k', 'NoSchedule')] } }),
    pod('y'),
    end(),
    events(),
  ),
  onNodes(
    'tolerates-unschedulable',
    [node('a', { spec: { unschedulable: true } })],
    withSpec('x', {
      tolerations: [{ key: 'node.kubernetes.io/unschedulable', operator: 'Exists', effect: 'NoSchedule' }],
    }),
    end(),
  ),
  onNodes(
    'no-execute-with-seconds',
    [node('a')],
    withSpec('x', {
      tolerations: [{ key: 'k', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 1 }],
    }),
    withSpec('y', { tolerations: [{ key: 'k', operator: 'Exists', effect: 'NoExecute' }] }),
    pod('z'),
    podReady('x'),
    podReady('y'),
    podReady('z'),
    patchNode('a', { spec: { taints: [taint('k', 'NoExecute')] } }),
    wait(2000),
    end(),
    events({ kinds: ['Pod'] }),
  ),
  onNodes(
    'gt-operator',
    [node('a', { taints: [taint('k', 'NoSchedule', '5')] })],
    withSpec('x', { tolerations: [{ key: 'k', operator: 'Gt', value: '3', effect: 'NoSchedule' }] }),
    end(),
  ),
];

export const preemptScenarios: readonly Scenario[] = [
  onNodes(
    'two-small-victims',
    [cpus('a', '2')],
    ...ladder,
    important('v1', '1', 'low'),
    important('v2', '1', 'low'),
    podReady('v1'),
    podReady('v2'),
    important('vip', '2', 'high'),
    wait(2500),
    end(),
    events(),
  ),
  onNodes(
    'one-of-two-is-enough',
    [cpus('a', '2')],
    ...ladder,
    important('v1', '1', 'low'),
    important('v2', '1', 'mid'),
    podReady('v1'),
    podReady('v2'),
    important('vip', '1', 'high'),
    wait(2500),
    end(),
    events(),
  ),
  onNodes(
    'fewest-victims',
    [cpus('a', '2'), cpus('b', '2')],
    ...ladder,
    important('a1', '1', 'low', { spec: { nodeName: 'a' } }),
    important('a2', '1', 'low', { spec: { nodeName: 'a' } }),
    important('b1', '2', 'low', { spec: { nodeName: 'b' } }),
    podReady('a1'),
    podReady('a2'),
    podReady('b1'),
    important('vip', '2', 'high'),
    wait(2500),
    end(),
    events({ names: ['vip', 'b1', 'a1', 'a2'] }),
  ),
  onNodes(
    'lower-highest-victim',
    [cpus('a', '1'), cpus('b', '1')],
    ...ladder,
    important('a1', '1', 'mid', { spec: { nodeName: 'a' } }),
    important('b1', '1', 'low', { spec: { nodeName: 'b' } }),
    podReady('a1'),
    podReady('b1'),
    important('vip', '1', 'high'),
    wait(2500),
    end(),
    events({ names: ['vip', 'b1', 'a1'] }),
  ),
  onNodes(
    'budget-broken-when-nothing-else',
    [cpus('a', '1')],
    ...ladder,
    important('v', '1', 'low', { labels }),
    podReady('v'),
    create('PodDisruptionBudget', 'b', { spec: { minAvailable: 1, selector: { matchLabels: labels } } }),
    wait(1200),
    important('vip', '1', 'high'),
    wait(2500),
    end(),
    events({ kinds: ['Pod'] }),
  ),
  onNodes(
    'slow-victim-nominated',
    [cpus('a', '1')],
    ...ladder,
    important('v', '1', 'low', { run: 'ready;linger' }),
    podReady('v'),
    important('vip', '1', 'high'),
    end('waiting'),
    important('mid', '1', 'mid'),
    end('another'),
    { pods: { selector: 'name=v', do: 'finalise', terminating: true } },
    wait(1500),
    end('after'),
    events(),
  ),
  onNodes(
    'class-that-never-preempts',
    [cpus('a', '1')],
    priority('low', 1),
    priority('calm', 1000, { preemptionPolicy: 'Never' }),
    important('v', '1', 'low'),
    podReady('v'),
    important('x', '1', 'calm'),
    end(),
    events({ names: ['x'] }),
  ),
  onNodes(
    'default-class',
    [cpus('a', '1')],
    priority('d', 7, { globalDefault: true }),
    pod('x', { requests: { cpu: '1' } }),
    podReady('x'),
    end(),
  ),
  onNodes(
    'does-not-help-affinity',
    [cpus('a', '1')],
    ...ladder,
    important('v', '1', 'low'),
    podReady('v'),
    important('x', '1', 'high', {
      spec: { containers: [container({ cpu: '1' })], nodeSelector: { no: 'such' } },
    }),
    end(),
    events({ names: ['x'] }),
  ),
  onNodes(
    'helps-on-one-of-two',
    [cpus('a', '1'), cpus('b', '1', { taints: [taint('k', 'NoSchedule')] })],
    ...ladder,
    important('v', '2', 'low', { spec: { nodeName: 'b' } }),
    important('w', '1', 'mid'),
    podReady('w'),
    important('x', '1', 'mid'),
    end(),
    events({ names: ['x'] }),
  ),
  onNodes(
    'anti-affinity-victim',
    [node('a')],
    ...ladder,
    important('v', '100m', 'low', { labels }),
    podReady('v'),
    important('x', '100m', 'high', {
      spec: { containers: [container()], priorityClassName: 'high-$id', ...apart(near('web', host)) },
    }),
    wait(2500),
    end(),
    events(),
  ),
  onNodes(
    'spread-victim',
    [inZone('a', 'z1'), inZone('b', 'z2', { spec: { unschedulable: true } })],
    ...ladder,
    important('v', '100m', 'low', { labels }),
    podReady('v'),
    important('x', '100m', 'high', {
      labels,
      spec: {
        containers: [container()],
        topologySpreadConstraints: [spread({ nodeTaintsPolicy: 'Ignore' })],
      },
    }),
    wait(2500),
    end(),
    events({ names: ['x'] }),
  ),
  onNodes(
    'pods-limit-victim',
    [node('a', { allocatable: { pods: '1' } })],
    ...ladder,
    important('v', '1', 'low'),
    podReady('v'),
    important('x', '1', 'high'),
    wait(2500),
    end(),
    events(),
  ),
  onNodes(
    'extended-resource-victim',
    [node('a', { allocatable: { 'x.org/a': '1' } })],
    ...ladder,
    important('v', '1', 'low', {
      spec: { containers: [{ name: 'c', image: 'i', resources: { limits: { 'x.org/a': '1' } } }] },
    }),
    podReady('v'),
    important('x', '1', 'high', {
      spec: { containers: [{ name: 'c', image: 'i', resources: { limits: { 'x.org/a': '1' } } }] },
    }),
    wait(2500),
    end(),
    events(),
  ),
  onNodes(
    'job-victim',
    [cpus('a', '1')],
    ...ladder,
    create('Job', 'j', {
      spec: {
        backoffLimit: 0,
        podFailurePolicy: {
          rules: [{ action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }] }],
        },
        template: template({
          labels: { j: 'j' },
          run: 'ready',
          spec: {
            restartPolicy: 'Never',
            priorityClassName: 'low-$id',
            containers: [container({ cpu: '1' })],
          },
        }),
      },
    }),
    wait(1500),
    important('x', '1', 'high'),
    wait(2500),
    end(),
    events({ kinds: ['Job'] }),
  ),
  onNodes('unknown-class-refused', [node('a')], important('x', '1', 'nobody')),
  onNodes(
    'critical-class-in-namespace',
    [node('a')],
    withSpec('x', { priorityClassName: 'system-cluster-critical' }),
    end(),
  ),
  onNodes(
    'class-deleted',
    [node('a')],
    priority('low', 5),
    important('x', '1', 'low'),
    podReady('x'),
    { req: 'DELETE /apis/scheduling.k8s.io/v1/priorityclasses/low-$id' },
    important('y', '1', 'low'),
    end(),
  ),
];

const volume = (name: string, spec: JsonObject): Step => ({
  req: `POST ${collection('PersistentVolume')}`,
  body: object('PersistentVolume', `${name}-$id`, {
    spec: {
      capacity: { storage: '1Gi' },
      accessModes: ['ReadWriteOnce'],
      storageClassName: 'c-$id',
      persistentVolumeReclaimPolicy: 'Retain',
      ...spec,
    },
  }),
});
const storageClass = (mode: string, more: JsonObject = {}): Step => ({
  req: `POST ${collection('StorageClass')}`,
  body: object('StorageClass', 'c-$id', { provisioner: 'x.org/p', volumeBindingMode: mode, ...more }),
});
const claim = (name: string, spec: JsonObject = {}): Step =>
  create('PersistentVolumeClaim', name, {
    spec: {
      accessModes: ['ReadWriteOnce'],
      storageClassName: 'c-$id',
      resources: { requests: { storage: '1Gi' } },
      ...spec,
    },
  });
const uses = (name: string, claims: string[], more: JsonObject = {}): Step =>
  withSpec(name, {
    volumes: claims.map((claimName, at) => ({ name: `v${at}`, persistentVolumeClaim: { claimName } })),
    ...more,
  });
const onHost = (...names: string[]): JsonObject => ({
  nodeAffinity: { required: { nodeSelectorTerms: [expression(host, 'In', ...names)] } },
});
const hostPath = { hostPath: { path: '/x' } };

export const volumeSchedulingScenarios: readonly Scenario[] = [
  onNodes(
    'two-gates',
    [node('a')],
    withSpec('x', { schedulingGates: [{ name: 'x.org/a' }, { name: 'x.org/b' }] }),
    end('gated'),
    patchPod('x', { spec: { schedulingGates: [{ name: 'x.org/b' }] } }),
    end('one left'),
    patchPod('x', { spec: { schedulingGates: null } }),
    end('free'),
    events(),
  ),
  onNodes(
    'gated-deleted',
    [node('a')],
    withSpec('x', { schedulingGates: [{ name: 'x.org/a' }] }),
    end('gated'),
    remove('Pod', 'x'),
    end('gone'),
    events(),
  ),
  onNodes(
    'gated-changes-affinity',
    [node('a'), node('b', { labels: { k: '1' } })],
    withSpec('x', { schedulingGates: [{ name: 'x.org/a' }] }),
    patchPod('x', { spec: { nodeSelector: { k: '1' } } }),
    patchPod('x', { spec: { schedulingGates: null } }),
    end(),
  ),
  onNodes(
    'claim-appears-later',
    [node('a')],
    storageClass('Immediate'),
    volume('v', { ...hostPath }),
    uses('x', ['c']),
    end('waiting'),
    claim('c'),
    end('after'),
    events({ names: ['x'] }),
  ),
  onNodes(
    'claim-being-deleted',
    [node('a')],
    storageClass('Immediate'),
    volume('v', { ...hostPath }),
    create('PersistentVolumeClaim', 'c', {
      metadata: { finalizers: ['x.org/f'] },
      spec: {
        accessModes: ['ReadWriteOnce'],
        storageClassName: 'c-$id',
        resources: { requests: { storage: '1Gi' } },
      },
    }),
    wait(1500),
    remove('PersistentVolumeClaim', 'c'),
    uses('x', ['c']),
    end(),
    events({ names: ['x'] }),
  ),
  onNodes(
    'two-volumes-two-nodes',
    [node('a'), node('b')],
    storageClass('WaitForFirstConsumer'),
    volume('va', { local: { path: '/a' }, ...onHost('a') }),
    volume('vb', { local: { path: '/b' }, ...onHost('b') }),
    claim('c1'),
    claim('c2'),
    uses('x', ['c1', 'c2']),
    end(),
    events({ names: ['x'] }),
  ),
  onNodes(
    'two-claims-one-node',
    [node('a'), node('b')],
    storageClass('WaitForFirstConsumer'),
    volume('v1', { local: { path: '/a' }, ...onHost('b') }),
    volume('v2', { local: { path: '/b' }, ...onHost('b') }),
    claim('c1'),
    claim('c2'),
    uses('x', ['c1', 'c2']),
    wait(2500),
    end(),
    view('claims', { get: collection('PersistentVolumeClaim'), drop: ['spec.volumeName'] }),
    events({ names: ['x'] }),
  ),
  onNodes(
    'late-binding-needs-size',
    [node('a')],
    storageClass('WaitForFirstConsumer'),
    volume('v', { ...hostPath }),
    claim('c', { resources: { requests: { storage: '5Gi' } } }),
    uses('x', ['c']),
    wait(1500),
    end(),
    view('claims', 'PersistentVolumeClaim'),
  ),
  onNodes(
    'allowed-topologies',
    [inZone('a', 'z1'), inZone('b', 'z2')],
    storageClass('WaitForFirstConsumer', {
      allowedTopologies: [{ matchLabelExpressions: [{ key: zone, values: ['z2'] }] }],
    }),
    claim('c'),
    uses('x', ['c']),
    wait(1500),
    end(),
    view('claims', 'PersistentVolumeClaim'),
    events({ names: ['x'] }),
  ),
  onNodes(
    'allowed-topologies-nowhere',
    [inZone('a', 'z1')],
    storageClass('WaitForFirstConsumer', {
      allowedTopologies: [{ matchLabelExpressions: [{ key: zone, values: ['z9'] }] }],
    }),
    claim('c'),
    uses('x', ['c']),
    wait(1500),
    end(),
    events({ names: ['x'] }),
  ),
  onNodes(
    'no-provisioner-class',
    [node('a')],
    storageClass('WaitForFirstConsumer', { provisioner: 'kubernetes.io/no-provisioner' }),
    claim('c'),
    uses('x', ['c']),
    wait(1500),
    end(),
    events(),
  ),
  onNodes(
    'claim-lost',
    [node('a')],
    storageClass('Immediate'),
    volume('v', { ...hostPath }),
    claim('c'),
    wait(1500),
    { req: `PATCH ${collection('PersistentVolume')}/v-$id`, body: { metadata: { finalizers: null } } },
    { req: `DELETE ${collection('PersistentVolume')}/v-$id` },
    wait(1500),
    uses('x', ['c']),
    end(),
    events({ names: ['x'] }),
  ),
  onNodes(
    'read-write-once-pod-freed',
    [node('a')],
    storageClass('Immediate'),
    volume('v', { ...hostPath, accessModes: ['ReadWriteOncePod'] }),
    claim('c', { accessModes: ['ReadWriteOncePod'] }),
    wait(1500),
    uses('x', ['c']),
    podReady('x'),
    uses('y', ['c']),
    end('waiting'),
    remove('Pod', 'x'),
    end('after'),
    events({ names: ['y'] }),
  ),
  onNodes(
    'volume-zone-and-region',
    [
      inZone('a', 'z1', { labels: { 'topology.kubernetes.io/region': 'r1' } }),
      inZone('b', 'z2', { labels: { 'topology.kubernetes.io/region': 'r1' } }),
    ],
    storageClass('Immediate'),
    {
      req: `POST ${collection('PersistentVolume')}`,
      body: object('PersistentVolume', 'v-$id', {
        metadata: { labels: { [zone]: 'z2__z3', 'topology.kubernetes.io/region': 'r1' } },
        spec: {
          capacity: { storage: '1Gi' },
          accessModes: ['ReadWriteOnce'],
          storageClassName: 'c-$id',
          ...hostPath,
        },
      }),
    },
    claim('c'),
    wait(1500),
    uses('x', ['c']),
    end(),
  ),
  onNodes(
    'ephemeral-volume-waits',
    [node('a')],
    storageClass('WaitForFirstConsumer'),
    withSpec('x', {
      volumes: [
        {
          name: 'e',
          ephemeral: {
            volumeClaimTemplate: {
              spec: {
                accessModes: ['ReadWriteOnce'],
                storageClassName: 'c-$id',
                resources: { requests: { storage: '1Gi' } },
              },
            },
          },
        },
      ],
    }),
    wait(1500),
    end(),
    view('claims', 'PersistentVolumeClaim'),
    events(),
  ),
  onNodes(
    'ephemeral-claim-of-another',
    [node('a')],
    storageClass('WaitForFirstConsumer'),
    claim('x-e'),
    withSpec('x', {
      volumes: [
        {
          name: 'e',
          ephemeral: {
            volumeClaimTemplate: {
              spec: {
                accessModes: ['ReadWriteOnce'],
                storageClassName: 'c-$id',
                resources: { requests: { storage: '1Gi' } },
              },
            },
          },
        },
      ],
    }),
    wait(1500),
    end(),
    events(),
  ),
  onNodes(
    'same-disk-twice',
    [node('a')],
    withSpec('x', { volumes: [{ name: 'd', gcePersistentDisk: { pdName: 'p' } }] }),
    podReady('x'),
    withSpec('y', { volumes: [{ name: 'd', gcePersistentDisk: { pdName: 'p' } }] }),
    end(),
    events({ names: ['y'] }),
  ),
  onNodes(
    'same-iscsi-twice',
    [node('a')],
    withSpec('x', {
      volumes: [{ name: 'd', iscsi: { targetPortal: '1.2.3.4', iqn: 'iqn.2001-04.com.example:s', lun: 0 } }],
    }),
    podReady('x'),
    withSpec('y', {
      volumes: [{ name: 'd', iscsi: { targetPortal: '1.2.3.4', iqn: 'iqn.2001-04.com.example:s', lun: 1 } }],
    }),
    end(),
    events({ names: ['y'] }),
  ),
];
