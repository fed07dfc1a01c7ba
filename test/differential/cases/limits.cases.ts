/** LimitRanges and ResourceQuotas over every kind of object and amount that they look at. */
import { ask, mergePatch, type DifferentialCase } from './case.ts';
import type { Step } from '../../../packages/kube-apiserver/test/oracle/case.ts';

const core = '/api/v1/namespaces/$ns';
const pods = `${core}/pods`;
const pick = ['spec', 'message', 'reason', 'metadata.annotations'];

type Spec = Readonly<Record<string, unknown>>;
const container = (resources: object, more: Spec = {}): Spec => ({
  name: 'c',
  image: 'i',
  resources,
  ...more,
});
const tryPod = (spec: Spec, meta: Spec = {}): Step =>
  ask(`POST ${pods}?dryRun=All`, { metadata: { name: 'p', ...meta }, spec }, { pick });
const limitRange = (limits: readonly object[]): Step =>
  ask(
    `POST ${core}/limitranges`,
    { metadata: { name: 'l' }, spec: { limits } },
    { pick: ['spec', 'message'] },
  );

/** Plugins look at limits and quotas in a cache that follows. */
const settled = { pauseMs: 300 };

const quota = (hard: Readonly<Record<string, string>>, more: Spec = {}): Step[] => [
  ask(
    `POST ${core}/resourcequotas`,
    { metadata: { name: 'q' }, spec: { hard, ...more } },
    { pick: ['spec', 'message', 'reason'] },
  ),
  ask(
    `PATCH ${core}/resourcequotas/q/status`,
    { status: { hard, used: Object.fromEntries(Object.keys(hard).map((name) => [name, '0'])) } },
    { ...mergePatch, quiet: true, ...settled },
  ),
];
const usage = ask(`GET ${core}/resourcequotas/q`, undefined, { pick: ['status'] });
const make = (path: string, body: object, more: Partial<Step> = {}): Step =>
  ask(`POST ${path}`, body, { pick: ['message', 'reason', 'kind'], ...more });

const podOf = (name: string, spec: Spec = {}, resources: object = {}): object => ({
  metadata: { name },
  spec: { containers: [container(resources)], ...spec },
});

export const cases: readonly DifferentialCase[] = [
  {
    name: 'limits-of-containers',
    steps: [
      {
        ...limitRange([
          {
            type: 'Container',
            default: { cpu: '500m', memory: '1Gi', 'example.com/x': '1' },
            defaultRequest: { cpu: '100m' },
            min: { cpu: '50m' },
            max: { cpu: '2', memory: '4Gi' },
            maxLimitRequestRatio: { cpu: '4' },
          },
        ]),
        ...settled,
      },
      tryPod({ containers: [container({})] }),
      tryPod({ containers: [container({ requests: { cpu: '1' } })] }),
      tryPod({ containers: [container({ limits: { cpu: '1' } })] }),
      tryPod({ containers: [container({ limits: { cpu: '3' }, requests: { cpu: '10m' } })] }),
      tryPod({
        containers: [container({})],
        initContainers: [
          { name: 'i', image: 'i' },
          { name: 's', image: 'i', restartPolicy: 'Always' },
        ],
      }),
      tryPod({
        containers: [
          container({}),
          { name: 'd', image: 'i', resources: { limits: { cpu: '9', memory: '9Gi' } } },
        ],
      }),
      tryPod({ containers: [container({})], resources: { requests: { cpu: '1' } } }),
      tryPod({ containers: [container({})], resources: { limits: { cpu: '9' } } }),
      tryPod({
        containers: [container({ requests: { 'example.com/x': '2' }, limits: { 'example.com/x': '2' } })],
      }),
      tryPod({ containers: [container({ requests: { 'ephemeral-storage': '1Gi' } })] }),
    ],
  },
  {
    name: 'limits-of-pods',
    steps: [
      {
        ...limitRange([
          {
            type: 'Pod',
            max: { cpu: '1' },
            min: { cpu: '200m' },
            maxLimitRequestRatio: { memory: '2' },
          },
        ]),
        ...settled,
      },
      tryPod({ containers: [container({})] }),
      tryPod({
        containers: [
          container({ limits: { cpu: '600m', memory: '512Mi' } }),
          { ...container({ limits: { cpu: '600m', memory: '512Mi' } }), name: 'd' },
        ],
      }),
      tryPod({
        containers: [container({ limits: { cpu: '500m', memory: '512Mi' }, requests: { memory: '100Mi' } })],
      }),
      tryPod({ containers: [container({ limits: { cpu: '100m', memory: '1Mi' } })] }),
      tryPod({
        containers: [container({ limits: { cpu: '500m', memory: '1Mi' } })],
        initContainers: [{ ...container({ limits: { cpu: '2', memory: '1Mi' } }), name: 'i' }],
      }),
      tryPod({
        containers: [container({ limits: { cpu: '500m', memory: '1Mi' } })],
        resources: { limits: { cpu: '2', memory: '2Mi' } },
      }),
      tryPod({ containers: [container({ limits: { cpu: '500m', memory: '1Mi' } })], overhead: { cpu: '1' } }),
    ],
  },
  {
    name: 'limits-of-claims',
    steps: [
      {
        ...limitRange([{ type: 'PersistentVolumeClaim', min: { storage: '1Gi' }, max: { storage: '2Gi' } }]),
        ...settled,
      },
      ...['500Mi', '1Gi', '3Gi', '0'].map((storage) =>
        make(`${core}/persistentvolumeclaims?dryRun=All`, {
          metadata: { name: 'c' },
          spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage } } },
        }),
      ),
      make(`${core}/persistentvolumeclaims?dryRun=All`, {
        metadata: { name: 'c' },
        spec: { accessModes: ['ReadWriteOnce'], resources: {} },
      }),
    ],
  },
  {
    name: 'limits-invalid',
    steps: [
      { type: 'Container', min: { cpu: '2' }, max: { cpu: '1' } },
      { type: 'Container', default: { cpu: '3' }, max: { cpu: '1' } },
      { type: 'Container', defaultRequest: { cpu: '2' }, default: { cpu: '1' } },
      { type: 'Container', maxLimitRequestRatio: { cpu: '0.5' } },
      { type: 'Container', min: { cpu: '1' }, max: { cpu: '2' }, maxLimitRequestRatio: { cpu: '3' } },
      { type: 'Pod', default: { cpu: '1' } },
      { type: 'Pod', defaultRequest: { cpu: '1' } },
      { type: 'PersistentVolumeClaim', max: { cpu: '1' } },
      { type: 'Node' },
      { type: 'example.com/thing', max: { cpu: '1' } },
      {},
      { type: 'Container', min: { foo: '1' } },
      { type: 'Container', max: { 'hugepages-2Mi': '1' }, min: { 'hugepages-2Mi': '2' } },
    ].flatMap((limit) => [
      ask(`POST ${core}/limitranges?dryRun=All`, { metadata: { name: 'l' }, spec: { limits: [limit] } }),
      ask(`POST ${core}/limitranges?dryRun=All`, {
        metadata: { name: 'l' },
        spec: { limits: [limit, limit] },
      }),
    ]),
  },
  {
    name: 'quota-of-pods',
    steps: [
      ...quota({
        pods: '3',
        'requests.cpu': '2',
        'limits.memory': '2Gi',
        'requests.example.com/gpu': '1',
        'requests.ephemeral-storage': '1Gi',
        'count/pods': '5',
        'hugepages-2Mi': '4Mi',
      }),
      make(pods, podOf('none')),
      make(pods, podOf('cpu', {}, { requests: { cpu: '1' }, limits: { memory: '1Gi' } })),
      make(
        pods,
        podOf('all', {}, { requests: { cpu: '1', 'ephemeral-storage': '1Gi' }, limits: { memory: '1Gi' } }),
      ),
      make(
        pods,
        podOf(
          'gpu',
          {},
          {
            requests: { cpu: '1m', 'ephemeral-storage': '0', 'example.com/gpu': '2' },
            limits: { memory: '1Mi', 'example.com/gpu': '2' },
          },
        ),
      ),
      make(
        pods,
        podOf(
          'huge',
          {},
          {
            requests: { cpu: '1m', 'ephemeral-storage': '0', 'hugepages-2Mi': '8Mi' },
            limits: { memory: '1Mi', 'hugepages-2Mi': '8Mi' },
          },
        ),
      ),
      make(pods, podOf('level', { resources: { requests: { cpu: '1' }, limits: { memory: '1Mi' } } })),
      make(
        pods,
        podOf(
          'init',
          {
            initContainers: [
              {
                ...container({ requests: { cpu: '3', 'ephemeral-storage': '0' }, limits: { memory: '1Mi' } }),
                name: 'i',
              },
            ],
          },
          { requests: { cpu: '1m', 'ephemeral-storage': '0' }, limits: { memory: '1Mi' } },
        ),
      ),
      usage,
      ask(`DELETE ${pods}/all?gracePeriodSeconds=0`, undefined, { quiet: true }),
      usage,
    ],
  },
  ...[
    ['BestEffort'],
    ['NotBestEffort'],
    ['Terminating'],
    ['NotTerminating'],
    ['CrossNamespacePodAffinity'],
    ['Terminating', 'BestEffort'],
  ].map((scopes): DifferentialCase => ({
    name: `quota-of-scope-${scopes.join('-').toLowerCase()}`,
    steps: [
      ...quota({ pods: '1' }, { scopes }),
      make(pods, podOf('a')),
      make(pods, podOf('b', {}, { requests: { cpu: '1' } })),
      make(pods, podOf('c', { activeDeadlineSeconds: 10 })),
      make(pods, podOf('d', { activeDeadlineSeconds: 10 }, { limits: { cpu: '1' } })),
      make(
        pods,
        podOf('e', {
          affinity: {
            podAffinity: {
              requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'k', namespaces: ['x'] }],
            },
          },
        }),
      ),
      make(
        pods,
        podOf('f', {
          affinity: {
            podAntiAffinity: {
              preferredDuringSchedulingIgnoredDuringExecution: [
                { weight: 1, podAffinityTerm: { topologyKey: 'k', namespaceSelector: {} } },
              ],
            },
          },
        }),
      ),
      make(pods, podOf('g', { resources: { requests: { cpu: '1' } } })),
      usage,
    ],
  })),
  {
    name: 'quota-of-scope-selectors',
    steps: [
      ...quota(
        { pods: '1' },
        {
          scopeSelector: {
            matchExpressions: [
              { scopeName: 'PriorityClass', operator: 'In', values: ['system-node-critical', 'none'] },
            ],
          },
        },
      ),
      make(pods, podOf('a')),
      make(pods, podOf('b', { priorityClassName: 'system-node-critical' })),
      make(pods, podOf('c', { priorityClassName: 'system-node-critical' })),
      make(pods, podOf('d', { priorityClassName: 'system-cluster-critical' })),
      usage,
    ],
  },
  {
    name: 'quota-of-objects',
    steps: [
      ...quota({
        configmaps: '1',
        secrets: '1',
        services: '2',
        'services.nodeports': '1',
        'services.loadbalancers': '1',
        persistentvolumeclaims: '2',
        'requests.storage': '3Gi',
        'gold.storageclass.storage.k8s.io/requests.storage': '1Gi',
        'gold.storageclass.storage.k8s.io/persistentvolumeclaims': '1',
        replicationcontrollers: '0',
        resourcequotas: '1',
        'count/deployments.apps': '1',
        'count/jobs.batch': '0',
        'count/widgets.example.com': '1',
        'count/leases.coordination.k8s.io': '1',
        'count/resourceclaims.resource.k8s.io': '0',
      }),
      make(`${core}/configmaps`, { metadata: { name: 'a' } }),
      make(`${core}/configmaps`, { metadata: { name: 'b' } }),
      make(`${core}/secrets`, { metadata: { name: 'a' } }),
      make(`${core}/secrets`, { metadata: { name: 'b' } }),
      make(`${core}/services`, {
        metadata: { name: 'np' },
        spec: { type: 'NodePort', ports: [{ port: 1 }, { name: 'b', port: 2 }] },
      }),
      make(`${core}/services`, {
        metadata: { name: 'lb' },
        spec: { type: 'LoadBalancer', ports: [{ name: 'a', port: 1 }] },
      }),
      make(`${core}/services`, {
        metadata: { name: 'lb2' },
        spec: { type: 'LoadBalancer', allocateLoadBalancerNodePorts: false, ports: [{ name: 'a', port: 1 }] },
      }),
      make(`${core}/services`, {
        metadata: { name: 'np' },
        spec: { type: 'NodePort', ports: [{ port: 1 }] },
      }),
      ask(
        `PATCH ${core}/services/lb2`,
        { spec: { type: 'NodePort', allocateLoadBalancerNodePorts: null } },
        { ...mergePatch, pick: ['message', 'kind'] },
      ),
      make(`${core}/persistentvolumeclaims`, {
        metadata: { name: 'c' },
        spec: {
          storageClassName: 'gold',
          accessModes: ['ReadWriteOnce'],
          resources: { requests: { storage: '2Gi' } },
        },
      }),
      make(`${core}/persistentvolumeclaims`, {
        metadata: { name: 'c' },
        spec: {
          storageClassName: 'gold',
          accessModes: ['ReadWriteOnce'],
          resources: { requests: { storage: '1Gi' } },
        },
      }),
      make(`${core}/persistentvolumeclaims`, {
        metadata: { name: 'd' },
        spec: {
          storageClassName: 'iron',
          accessModes: ['ReadWriteOnce'],
          resources: { requests: { storage: '5Gi' } },
        },
      }),
      make(`${core}/persistentvolumeclaims`, {
        metadata: { name: 'e' },
        spec: {
          storageClassName: 'iron',
          accessModes: ['ReadWriteOnce'],
          resources: { requests: { storage: '2Gi' } },
        },
      }),
      make(`${core}/persistentvolumeclaims`, {
        metadata: { name: 'f' },
        spec: {
          storageClassName: 'iron',
          accessModes: ['ReadWriteOnce'],
          resources: { requests: { storage: '0' } },
        },
      }),
      make(`${core}/replicationcontrollers`, {
        metadata: { name: 'r' },
        spec: {
          selector: { a: 'b' },
          template: { metadata: { labels: { a: 'b' } }, spec: { containers: [container({})] } },
        },
      }),
      make(`${core}/resourcequotas`, { metadata: { name: 'q2' }, spec: {} }),
      make('/apis/batch/v1/namespaces/$ns/jobs', {
        metadata: { name: 'j' },
        spec: { template: { spec: { restartPolicy: 'Never', containers: [container({})] } } },
      }),
      make('/apis/coordination.k8s.io/v1/namespaces/$ns/leases', { metadata: { name: 'l' } }),
      make('/apis/coordination.k8s.io/v1/namespaces/$ns/leases', { metadata: { name: 'm' } }),
      ask(
        'PUT /apis/coordination.k8s.io/v1/namespaces/$ns/leases/n',
        { metadata: { name: 'n' } },
        { pick: ['message', 'kind'] },
      ),
      make('/apis/resource.k8s.io/v1/namespaces/$ns/resourceclaims', { metadata: { name: 'r' }, spec: {} }),
      usage,
    ],
  },
  {
    name: 'quota-of-what-is-not-tracked',
    steps: [
      ...quota({
        'count/events': '0',
        'count/events.events.k8s.io': '0',
        'count/bindings': '0',
        'count/localsubjectaccessreviews.authorization.k8s.io': '0',
        'count/controllerrevisions.apps': '0',
      }),
      make(`${core}/events`, { metadata: { name: 'a' }, involvedObject: { namespace: '$ns' } }),
      make('/apis/events.k8s.io/v1/namespaces/$ns/events', {
        metadata: { name: 'b' },
        eventTime: '2020-01-02T03:04:05.000006Z',
        reportingController: 'example.com/c',
        reportingInstance: 'i',
        action: 'A',
        reason: 'R',
        type: 'Normal',
        regarding: { namespace: '$ns' },
      }),
      make('/apis/authorization.k8s.io/v1/namespaces/$ns/localsubjectaccessreviews', {
        metadata: { namespace: '$ns' },
        spec: { user: 'a', resourceAttributes: { namespace: '$ns', verb: 'get', resource: 'pods' } },
      }),
      make('/apis/apps/v1/namespaces/$ns/controllerrevisions', { metadata: { name: 'a' }, revision: 1 }),
      make(pods, podOf('a')),
      make(`${core}/bindings`, { metadata: { name: 'a' }, target: { kind: 'Node', name: 'n' } }),
      usage,
    ],
  },
];
