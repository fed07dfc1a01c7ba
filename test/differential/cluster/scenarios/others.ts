/** Areas with few scenarios: accounts, requests for certificates, autoscalers, nodes, and the rest. */
import type { JsonObject, NodeSpec, Scenario, Step } from '../scenario.ts';
import {
  collection,
  container,
  create,
  events,
  item,
  object,
  onNodes,
  patch,
  pod,
  podReady,
  remove,
  scale,
  scenario,
  selector,
  template,
  view,
  wait,
} from './building.ts';

const accounts = (name: string) => view(name, 'ServiceAccount', 'Secret');
const tokenSecret = (name: string, account: string, more: JsonObject = {}): Step =>
  create('Secret', name, {
    metadata: { annotations: { 'kubernetes.io/service-account.name': account } },
    type: 'kubernetes.io/service-account-token',
    ...more,
  });
const roots = { get: collection('ConfigMap'), keepRootCA: true };

export const serviceaccountScenarios: readonly Scenario[] = [
  scenario(
    'token-secret-then-account',
    tokenSecret('t', 'late'),
    wait(1500),
    accounts('gone'),
    create('ServiceAccount', 'late'),
    tokenSecret('t', 'late'),
    accounts('after'),
  ),
  scenario(
    'account-deleted-with-secrets',
    create('ServiceAccount', 'a'),
    tokenSecret('t', 'a'),
    accounts('before'),
    remove('ServiceAccount', 'a'),
    accounts('after'),
  ),
  scenario(
    'account-recreated',
    create('ServiceAccount', 'a'),
    tokenSecret('t', 'a'),
    accounts('before'),
    remove('ServiceAccount', 'a'),
    wait(1500),
    create('ServiceAccount', 'a'),
    accounts('after'),
  ),
  scenario(
    'secret-listed-in-account',
    create('ServiceAccount', 'a', { secrets: [{ name: 't' }, { name: 'other' }] }),
    tokenSecret('t', 'a'),
    accounts('before'),
    remove('Secret', 't'),
    accounts('after'),
  ),
  scenario(
    'token-data-removed',
    create('ServiceAccount', 'a'),
    tokenSecret('t', 'a'),
    accounts('before'),
    patch('Secret', 't', { data: { token: null, 'ca.crt': null } }),
    accounts('after'),
  ),
  scenario(
    'token-with-wrong-uid',
    tokenSecret('t', 'default', {
      metadata: {
        annotations: {
          'kubernetes.io/service-account.name': 'default',
          'kubernetes.io/service-account.uid': 'wrong',
        },
      },
    }),
    accounts('after'),
  ),
  scenario(
    'default-account-changed',
    patch('ServiceAccount', 'default', {
      metadata: { labels: { a: 'b' } },
      automountServiceAccountToken: false,
    }),
    pod('p'),
    view('after', 'ServiceAccount', 'Pod'),
  ),
  scenario(
    'root-map-changed',
    {
      req: `PATCH ${item('ConfigMap', 'kube-root-ca.crt')}`,
      body: { data: { 'ca.crt': 'mine', more: 'x' } },
    },
    view('after', roots),
  ),
  scenario(
    'root-map-labelled',
    { req: `PATCH ${item('ConfigMap', 'kube-root-ca.crt')}`, body: { metadata: { labels: { a: 'b' } } } },
    view('after', roots),
  ),
  scenario(
    'pull-secrets-copied',
    create('ServiceAccount', 'a', { imagePullSecrets: [{ name: 's' }] }),
    pod('p', { spec: { serviceAccountName: 'a', containers: [container()] } }),
    view('after', 'Pod'),
  ),
  scenario(
    'account-pull-secrets-and-automount-off',
    create('ServiceAccount', 'a', { automountServiceAccountToken: false, imagePullSecrets: [{ name: 's' }] }),
    pod('p', { spec: { serviceAccountName: 'a', containers: [container()] } }),
    pod('q', {
      spec: { serviceAccountName: 'a', automountServiceAccountToken: true, containers: [container()] },
    }),
    pod('r', {
      spec: { serviceAccountName: 'a', imagePullSecrets: [{ name: 'own' }], containers: [container()] },
    }),
    view('after', 'Pod'),
  ),
  scenario(
    'token-of-deleted-account-stays-out',
    create('ServiceAccount', 'a'),
    tokenSecret('t', 'a'),
    wait(1000),
    { req: 'PATCH /api/v1/namespaces/$ns/secrets/t', body: { metadata: { finalizers: ['x.org/f'] } } },
    remove('ServiceAccount', 'a'),
    wait(1500),
    accounts('held'),
    { req: 'PATCH /api/v1/namespaces/$ns/secrets/t', body: { metadata: { finalizers: null } } },
    wait(800),
    accounts('after'),
  ),
  scenario(
    'account-with-finalizer',
    create('ServiceAccount', 'a', { metadata: { finalizers: ['x.org/f'] } }),
    tokenSecret('t', 'a'),
    wait(1000),
    remove('ServiceAccount', 'a'),
    wait(1500),
    accounts('held'),
    tokenSecret('u', 'a'),
    wait(1500),
    accounts('another'),
  ),
];

const nodeTime = {
  get: collection('Node'),
  pick: [
    'metadata.name',
    'metadata.annotations',
    'metadata.labels',
    'spec',
    'status.conditions[type=Ready].status',
    'status.conditions[type=Ready].reason',
  ],
};
const pods = {
  get: collection('Pod'),
  pick: [
    'metadata.name',
    'metadata.deletionTimestamp',
    'spec.nodeName',
    'spec.tolerations',
    'status.phase',
    'status.reason',
    'status.conditions',
  ],
};
const nodeView = (name: string) => view(name, nodeTime, pods);
const tolerate = (seconds: number): JsonObject[] =>
  ['not-ready', 'unreachable'].map((key) => ({
    key: `node.kubernetes.io/${key}`,
    operator: 'Exists',
    effect: 'NoExecute',
    tolerationSeconds: seconds,
  }));
const on = (name: string, nodeName: string, spec: JsonObject = {}): Step =>
  pod(name, { spec: { nodeName, containers: [container()], ...spec } });
const two: NodeSpec[] = [{ name: 'a' }, { name: 'b' }];
const patchNode = (name: string, body: JsonObject): Step => ({ req: `PATCH /api/v1/nodes/${name}`, body });

export const nodeScenarios: readonly Scenario[] = [
  onNodes(
    'unreachable-and-back',
    two,
    on('p', 'a', { tolerations: tolerate(600) }),
    podReady('p'),
    { node: { name: 'a', beat: false, dead: true } },
    wait(8000),
    nodeView('lost'),
    { node: { name: 'a', beat: true, dead: false, ready: true } },
    wait(3000),
    nodeView('back'),
    events(),
  ),
  onNodes(
    'not-ready-evicts',
    two,
    on('p', 'a', { tolerations: tolerate(1) }),
    on('q', 'a', { tolerations: tolerate(0) }),
    podReady('p'),
    podReady('q'),
    { node: { name: 'a', ready: false } },
    wait(5000),
    nodeView('after'),
    events(),
  ),
  onNodes(
    'every-pressure',
    [{ name: 'a' }],
    { node: { name: 'a', condition: { type: 'DiskPressure', status: 'True' } } },
    { node: { name: 'a', condition: { type: 'PIDPressure', status: 'True' } } },
    { node: { name: 'a', condition: { type: 'MemoryPressure', status: 'Unknown' } } },
    { node: { name: 'a', condition: { type: 'NetworkUnavailable', status: 'True' } } },
    wait(1500),
    nodeView('after'),
    { node: { name: 'a', condition: { type: 'DiskPressure', status: 'False' } } },
    wait(1500),
    nodeView('less'),
  ),
  onNodes(
    'cordon-then-not',
    [{ name: 'a' }],
    patchNode('a', { spec: { unschedulable: true } }),
    wait(1200),
    nodeView('cordoned'),
    patchNode('a', { spec: { unschedulable: null } }),
    wait(1200),
    nodeView('free'),
  ),
  onNodes(
    'taint-with-seconds-removed-in-time',
    two,
    on('p', 'a', {
      tolerations: [{ key: 'k', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 3 }],
    }),
    podReady('p'),
    patchNode('a', { spec: { taints: [{ key: 'k', effect: 'NoExecute' }] } }),
    wait(1000),
    patchNode('a', { spec: { taints: [] } }),
    wait(3500),
    nodeView('after'),
    events(),
  ),
  onNodes(
    'two-no-execute-taints',
    two,
    on('p', 'a', {
      tolerations: [
        { key: 'k', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 600 },
        { key: 'l', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 1 },
      ],
    }),
    podReady('p'),
    patchNode('a', {
      spec: {
        taints: [
          { key: 'k', effect: 'NoExecute' },
          { key: 'l', effect: 'NoExecute' },
        ],
      },
    }),
    wait(3000),
    nodeView('after'),
    events(),
  ),
  onNodes(
    'deleted-with-pods',
    two,
    on('p', 'a'),
    podReady('p'),
    create('ReplicaSet', 'web', { spec: { replicas: 2, selector, template: template() } }),
    wait(1500),
    { node: { name: 'a', dead: true } },
    { removeNode: 'a' },
    wait(3000),
    view('after', nodeTime),
  ),
  onNodes(
    'out-of-service-taint-alone',
    two,
    on('p', 'a'),
    podReady('p'),
    patchNode('a', {
      spec: {
        taints: [{ key: 'node.kubernetes.io/out-of-service', value: 'nodeshutdown', effect: 'NoExecute' }],
      },
    }),
    wait(2500),
    nodeView('after'),
    events(),
  ),
  onNodes(
    'not-ready-pod-with-finalizer',
    two,
    pod('p', {
      metadata: { finalizers: ['x.org/f'] },
      spec: { nodeName: 'a', containers: [container()], tolerations: tolerate(1) },
    }),
    podReady('p'),
    { node: { name: 'a', beat: false, dead: true } },
    wait(10_000),
    nodeView('after'),
  ),
  onNodes(
    'topology-labels',
    [
      {
        name: 'a',
        labels: {
          'failure-domain.beta.kubernetes.io/zone': 'z',
          'failure-domain.beta.kubernetes.io/region': 'r',
          'beta.kubernetes.io/os': 'linux',
          'kubernetes.io/arch': 'amd64',
        },
      },
    ],
    wait(1500),
    nodeView('after'),
  ),
  onNodes(
    'created-unready',
    [{ name: 'a', ready: false }],
    wait(1500),
    nodeView('unready'),
    { node: { name: 'a', ready: true } },
    wait(1500),
    nodeView('ready'),
  ),
  onNodes(
    'finished-pods-collected',
    [{ name: 'a' }],
    ...Array.from({ length: 8 }, (_, at) => pod(`p${at}`, { run: at % 2 ? 'fail:1' : 'succeed' })),
    wait(4000),
    view('number', { get: collection('Pod'), pick: ['kind'] }),
  ),
  onNodes('pod-on-node-that-never-was', [{ name: 'a' }], on('p', 'ghost'), wait(2500), nodeView('after')),
  onNodes(
    'orphan-terminating-unscheduled',
    [{ name: 'a' }],
    pod('p', { spec: { containers: [container()], nodeSelector: { no: 'such' } } }),
    wait(1000),
    remove('Pod', 'p'),
    nodeView('after'),
  ),
  onNodes(
    'unready-taints-come-back',
    two,
    { node: { name: 'a', ready: false } },
    wait(1500),
    patchNode('a', { spec: { taints: [] } }),
    wait(2000),
    nodeView('tainted again'),
  ),
  onNodes(
    'own-taint-beside-unready',
    two,
    patchNode('a', { spec: { taints: [{ key: 'mine', value: 'x', effect: 'NoSchedule' }] } }),
    { node: { name: 'a', ready: false } },
    wait(2000),
    nodeView('both'),
    { node: { name: 'a', ready: true } },
    wait(2000),
    nodeView('mine'),
  ),
  onNodes(
    'no-execute-spares-who-tolerates-all',
    two,
    on('all', 'a', { tolerations: [{ operator: 'Exists' }] }),
    on('effect', 'a', { tolerations: [{ key: 'k', operator: 'Exists', effect: 'NoSchedule' }] }),
    on('zero', 'a', {
      tolerations: [{ key: 'k', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 0 }],
    }),
    on('negative', 'a', {
      tolerations: [{ key: 'k', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: -1 }],
    }),
    on('value', 'a', { tolerations: [{ key: 'k', value: 'other', effect: 'NoExecute' }] }),
    podReady('all'),
    podReady('value'),
    patchNode('a', { spec: { taints: [{ key: 'k', value: 'v', effect: 'NoExecute' }] } }),
    wait(3000),
    nodeView('after'),
    events(),
  ),
  onNodes(
    'no-execute-toleration-added-in-time',
    two,
    on('p', 'a', {
      tolerations: [{ key: 'k', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 3 }],
    }),
    podReady('p'),
    patchNode('a', { spec: { taints: [{ key: 'k', effect: 'NoExecute' }] } }),
    wait(1000),
    patch('Pod', 'p', {
      spec: {
        tolerations: [
          { key: 'k', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 3 },
          {
            key: 'node.kubernetes.io/not-ready',
            operator: 'Exists',
            effect: 'NoExecute',
            tolerationSeconds: 300,
          },
          {
            key: 'node.kubernetes.io/unreachable',
            operator: 'Exists',
            effect: 'NoExecute',
            tolerationSeconds: 300,
          },
          { operator: 'Exists' },
        ],
      },
    }),
    wait(4000),
    nodeView('after'),
  ),
  onNodes(
    'pod-comes-to-tainted-node',
    two,
    patchNode('a', { spec: { taints: [{ key: 'k', effect: 'NoExecute' }] } }),
    on('p', 'a'),
    on('q', 'a', {
      tolerations: [{ key: 'k', operator: 'Exists', tolerationSeconds: 2, effect: 'NoExecute' }],
    }),
    wait(4500),
    nodeView('after'),
    events(),
  ),
  onNodes(
    'ready-again-before-eviction',
    two,
    on('p', 'a', { tolerations: tolerate(5) }),
    podReady('p'),
    { node: { name: 'a', ready: false } },
    wait(2000),
    { node: { name: 'a', ready: true } },
    wait(6000),
    nodeView('after'),
    events({ kinds: ['Pod'] }),
  ),
  onNodes(
    'recreated-with-the-same-name',
    two,
    on('p', 'a'),
    podReady('p'),
    { removeNode: 'a' },
    { addNode: { name: 'a', labels: { new: 'yes' } } },
    wait(2500),
    nodeView('after'),
  ),
  onNodes(
    'zones-one-dark',
    [
      { name: 'a', labels: { 'topology.kubernetes.io/zone': 'z1' } },
      { name: 'b', labels: { 'topology.kubernetes.io/zone': 'z1' } },
      { name: 'c', labels: { 'topology.kubernetes.io/zone': 'z2' } },
    ],
    on('p', 'c', { tolerations: tolerate(1) }),
    podReady('p'),
    { node: { name: 'c', ready: false } },
    wait(4000),
    nodeView('dark'),
    { node: { name: 'c', ready: true } },
    wait(2000),
    nodeView('lit'),
  ),
  onNodes(
    'mirror-pod-and-terminating-pod-on-lost-node',
    two,
    pod('linger', {
      run: 'ready;linger',
      spec: { nodeName: 'a', containers: [container()], tolerations: tolerate(1) },
    }),
    pod('static', {
      metadata: { annotations: { 'kubernetes.io/config.mirror': 'x' } },
      spec: { nodeName: 'a', containers: [container()], tolerations: tolerate(1) },
    }),
    podReady('linger'),
    remove('Pod', 'linger'),
    { node: { name: 'a', beat: false, dead: true } },
    wait(10_000),
    nodeView('after'),
  ),
  onNodes(
    'force-detached-when-out-of-service',
    two,
    on('p', 'a', { tolerations: tolerate(1) }),
    on('q', 'a', { tolerations: [{ key: 'node.kubernetes.io/out-of-service', operator: 'Exists' }] }),
    podReady('p'),
    podReady('q'),
    { node: { name: 'a', beat: false, dead: true } },
    wait(8000),
    patchNode('a', {
      spec: {
        taints: [{ key: 'node.kubernetes.io/out-of-service', value: 'nodeshutdown', effect: 'NoExecute' }],
      },
    }),
    wait(3000),
    nodeView('after'),
    events(),
  ),
  onNodes(
    'finished-pods-of-lost-node',
    two,
    pod('done', {
      run: 'succeed',
      spec: { nodeName: 'a', restartPolicy: 'Never', containers: [container()] },
    }),
    wait(1500),
    { node: { name: 'a', ready: false } },
    wait(2500),
    nodeView('after'),
  ),
];

export const autoscaler = (spec: JsonObject): Step =>
  create('HorizontalPodAutoscaler', 'h', {
    spec: {
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
      minReplicas: 1,
      maxReplicas: 5,
      ...spec,
    },
  });
export const target = (replicas: number) =>
  create('Deployment', 'web', {
    spec: { replicas, selector, template: template({ requests: { cpu: '100m' } }) },
  });
export const hpa = (name: string) =>
  view(name, 'HorizontalPodAutoscaler', { get: collection('Deployment'), pick: ['spec.replicas'] });
export const cpu = (type: string, value: number | string): JsonObject => ({
  type: 'Resource',
  resource: {
    name: 'cpu',
    target: { type, [type === 'Utilization' ? 'averageUtilization' : 'averageValue']: value },
  },
});

export const hpaScenarios: readonly Scenario[] = [
  scenario(
    'above-maximum',
    target(8),
    wait(1500),
    autoscaler({}),
    wait(16_000),
    hpa('after'),
    events({ kinds: ['HorizontalPodAutoscaler'] }),
  ),
  scenario(
    'minimum-raised',
    target(1),
    wait(1000),
    autoscaler({ minReplicas: 1 }),
    wait(2000),
    patch('HorizontalPodAutoscaler', 'h', { spec: { minReplicas: 3 } }),
    wait(3000),
    hpa('after'),
    events({ kinds: ['HorizontalPodAutoscaler'] }),
  ),
  scenario(
    'memory-average',
    target(2),
    wait(1000),
    autoscaler({
      metrics: [
        {
          type: 'Resource',
          resource: { name: 'memory', target: { type: 'AverageValue', averageValue: '100Mi' } },
        },
      ],
    }),
    wait(2500),
    hpa('after'),
    events({ kinds: ['HorizontalPodAutoscaler'] }),
  ),
  scenario(
    'two-metrics',
    target(2),
    wait(1000),
    autoscaler({
      metrics: [
        cpu('Utilization', 50),
        {
          type: 'Resource',
          resource: { name: 'memory', target: { type: 'AverageValue', averageValue: '1Mi' } },
        },
      ],
    }),
    wait(2500),
    hpa('after'),
    events({ kinds: ['HorizontalPodAutoscaler'] }),
  ),
  scenario(
    'container-resource',
    target(2),
    wait(1000),
    autoscaler({
      metrics: [
        {
          type: 'ContainerResource',
          containerResource: {
            name: 'cpu',
            container: 'c',
            target: { type: 'Utilization', averageUtilization: 50 },
          },
        },
      ],
    }),
    wait(2500),
    hpa('after'),
    events({ kinds: ['HorizontalPodAutoscaler'] }),
  ),
  scenario(
    'pods-metric',
    target(2),
    wait(1000),
    autoscaler({
      metrics: [
        {
          type: 'Pods',
          pods: { metric: { name: 'q' }, target: { type: 'AverageValue', averageValue: '10' } },
        },
      ],
    }),
    wait(2500),
    hpa('after'),
    events({ kinds: ['HorizontalPodAutoscaler'] }),
  ),
  scenario(
    'object-metric',
    target(2),
    wait(1000),
    autoscaler({
      metrics: [
        {
          type: 'Object',
          object: {
            metric: { name: 'q' },
            describedObject: { apiVersion: 'v1', kind: 'Service', name: 's' },
            target: { type: 'Value', value: '10' },
          },
        },
      ],
    }),
    wait(2500),
    hpa('after'),
    events({ kinds: ['HorizontalPodAutoscaler'] }),
  ),
  scenario(
    'external-metric',
    target(2),
    wait(1000),
    autoscaler({
      metrics: [
        {
          type: 'External',
          external: {
            metric: { name: 'q', selector: { matchLabels: { a: 'b' } } },
            target: { type: 'AverageValue', averageValue: '10' },
          },
        },
      ],
    }),
    wait(2500),
    hpa('after'),
    events({ kinds: ['HorizontalPodAutoscaler'] }),
  ),
  scenario(
    'statefulset-below-minimum',
    create('StatefulSet', 'web', { spec: { replicas: 1, serviceName: 's', selector, template: template() } }),
    wait(1000),
    autoscaler({
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'web' },
      minReplicas: 2,
    }),
    wait(2500),
    view('after', 'HorizontalPodAutoscaler', { get: collection('StatefulSet'), pick: ['spec.replicas'] }),
    events({ kinds: ['HorizontalPodAutoscaler'] }),
  ),
  scenario(
    'target-without-scale',
    create('DaemonSet', 'web', {
      spec: {
        selector,
        template: template({ spec: { containers: [container()], nodeSelector: { no: 'such' } } }),
      },
    }),
    autoscaler({ scaleTargetRef: { apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'web' } }),
    wait(2500),
    hpa('after'),
    events({ kinds: ['HorizontalPodAutoscaler'] }),
  ),
  scenario(
    'target-of-unknown-kind',
    autoscaler({ scaleTargetRef: { apiVersion: 'x.org/v1', kind: 'Thing', name: 'web' } }),
    wait(2500),
    hpa('after'),
    events({ kinds: ['HorizontalPodAutoscaler'] }),
  ),
  scenario(
    'two-for-one-target',
    target(2),
    wait(1000),
    autoscaler({}),
    create('HorizontalPodAutoscaler', 'h2', {
      spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }, maxReplicas: 3 },
    }),
    wait(3000),
    hpa('after'),
    events({ kinds: ['HorizontalPodAutoscaler'] }),
  ),
  scenario(
    'behaviour-disabled-up',
    target(1),
    wait(1000),
    autoscaler({ minReplicas: 3, behavior: { scaleUp: { selectPolicy: 'Disabled' } } }),
    wait(2500),
    hpa('after'),
    events({ kinds: ['HorizontalPodAutoscaler'] }),
  ),
  scenario(
    'behaviour-one-at-a-time',
    target(1),
    wait(1000),
    autoscaler({
      minReplicas: 4,
      behavior: { scaleUp: { policies: [{ type: 'Pods', value: 1, periodSeconds: 60 }] } },
    }),
    wait(2500),
    hpa('after'),
    events({ kinds: ['HorizontalPodAutoscaler'] }),
  ),
  scenario(
    'target-appears-later',
    autoscaler({ minReplicas: 2 }),
    wait(2000),
    hpa('missing'),
    target(1),
    wait(16_000),
    hpa('after'),
    events({ kinds: ['HorizontalPodAutoscaler'] }),
  ),
];

export const miscScenarios: readonly Scenario[] = [
  scenario(
    'aggregated-role-label-removed',
    {
      req: `POST ${collection('ClusterRole')}`,
      body: object('ClusterRole', 'part-$id', {
        metadata: { labels: { agg: '$id' } },
        rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }],
      }),
    },
    {
      req: `POST ${collection('ClusterRole')}`,
      body: object('ClusterRole', 'part2-$id', {
        metadata: { labels: { agg: '$id' } },
        rules: [
          { apiGroups: [''], resources: ['pods'], verbs: ['get'] },
          { nonResourceURLs: ['/x'], verbs: ['get'] },
        ],
      }),
    },
    {
      req: `POST ${collection('ClusterRole')}`,
      body: object('ClusterRole', 'whole-$id', {
        aggregationRule: { clusterRoleSelectors: [{ matchLabels: { agg: '$id' } }] },
        rules: [],
      }),
    },
    wait(1200),
    view('both', { get: `${collection('ClusterRole')}/whole-$id` }),
    { req: `PATCH ${collection('ClusterRole')}/part-$id`, body: { metadata: { labels: { agg: null } } } },
    wait(1200),
    view('one', { get: `${collection('ClusterRole')}/whole-$id` }),
  ),
  scenario(
    'service-addresses',
    create('Service', 'a', { spec: { ports: [{ port: 80 }] } }),
    create('Service', 'b', { spec: { clusterIP: 'None', ports: [{ port: 80 }] } }),
    wait(800),
    view('before', {
      get: `${collection('IPAddress')}?labelSelector=ipaddress.kubernetes.io/managed-by=ipallocator.k8s.io`,
      pick: ['spec.parentRef.resource'],
    }),
    remove('Service', 'a'),
    view('after', 'Service'),
  ),
  scenario(
    'claim-template-changed-name',
    create('ResourceClaimTemplate', 't', {
      spec: {
        metadata: { labels: { l: 'x' } },
        spec: { devices: { requests: [{ name: 'r', exactly: { deviceClassName: 'none-$id' } }] } },
      },
    }),
    pod('p', {
      spec: {
        containers: [container(undefined, { resources: { claims: [{ name: 'dev' }] } })],
        resourceClaims: [{ name: 'dev', resourceClaimTemplateName: 't' }],
      },
    }),
    view('before', 'ResourceClaim', 'Pod'),
    remove('Pod', 'p', { gracePeriodSeconds: 0 }),
    view('after', 'ResourceClaim'),
    events(),
  ),
  scenario(
    'claim-missing',
    pod('p', {
      spec: {
        containers: [container(undefined, { resources: { claims: [{ name: 'dev' }] } })],
        resourceClaims: [{ name: 'dev', resourceClaimName: 'none' }],
      },
    }),
    view('after', 'Pod'),
    events(),
  ),
  scenario(
    'claim-template-missing',
    pod('p', {
      spec: {
        containers: [container(undefined, { resources: { claims: [{ name: 'dev' }] } })],
        resourceClaims: [{ name: 'dev', resourceClaimTemplateName: 'none' }],
      },
    }),
    view('after', 'Pod'),
    events(),
  ),
  scenario(
    'two-pods-one-claim',
    create('ResourceClaim', 'c', {
      spec: { devices: { requests: [{ name: 'r', exactly: { deviceClassName: 'none-$id' } }] } },
    }),
    pod('p', {
      spec: {
        containers: [container(undefined, { resources: { claims: [{ name: 'dev' }] } })],
        resourceClaims: [{ name: 'dev', resourceClaimName: 'c' }],
      },
    }),
    view('after', 'ResourceClaim', 'Pod'),
    events(),
  ),
  scenario(
    'scaled-controller-with-service',
    create('ReplicationController', 'web', {
      spec: { replicas: 1, selector: { app: 'web' }, template: template() },
    }),
    wait(800),
    scale('ReplicationController', 'web', 2),
    view('after', 'ReplicationController'),
  ),
];
