/** Values of every JSON type in members of every scalar type, by every way of writing. */
import { applyPatch, ask, jsonPatch, mergePatch, strategicPatch, type DifferentialCase } from './case.ts';
import type { Step } from '../../../packages/kube-apiserver/test/oracle/case.ts';

type Json = Readonly<Record<string, unknown>>;
type Path = readonly (string | number)[];

interface Target {
  readonly collection: string;
  readonly body: Json;
  readonly path: Path;
  readonly values: readonly unknown[];
  /** What the path passes through in a configuration that is applied; by it elements of lists are told apart. */
  readonly keys?: readonly Json[];
}

const core = '/api/v1/namespaces/$ns';
const labels = { a: 'b' };
const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } };
/** Objects and lists are no keys of lists: the original's server stumbles over them in a strategic merge. */
const odd: readonly unknown[] = [null, {}, { a: 1 }, [], [1], true, false, '', 'x', 0, 1, -1, 1.5, 1e3, '1'];
const service = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'o' },
  spec: { ports: [{ name: 'p', port: 80, targetPort: 81 }], clusterIP: 'None', selector: labels },
};
const deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'o' },
  spec: {
    selector: { matchLabels: labels },
    template,
    strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 1 } },
  },
};
const pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'o' },
  spec: {
    containers: [
      {
        name: 'c',
        image: 'i',
        resources: { requests: { cpu: '1' } },
        livenessProbe: { httpGet: { port: 1 } },
      },
    ],
  },
};
const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name: 'o' }, spec: {} };
const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'o' }, data: { a: 'YQ==' } };
const policy = {
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: { name: 'o' },
  spec: { minAvailable: 1, selector: { matchLabels: labels } },
};
const net = {
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: { name: 'o' },
  spec: { podSelector: {}, ingress: [{ ports: [{ port: 1 }] }] },
};
const autoscaler = {
  apiVersion: 'autoscaling/v2',
  kind: 'HorizontalPodAutoscaler',
  metadata: { name: 'o' },
  spec: {
    maxReplicas: 3,
    scaleTargetRef: { kind: 'Deployment', name: 'd', apiVersion: 'apps/v1' },
    behavior: { scaleDown: { tolerance: '0.1', stabilizationWindowSeconds: 10 } },
  },
};

const deployments = '/apis/apps/v1/namespaces/$ns/deployments';
const times = [
  '2026-01-02T03:04:05Z',
  '2026-01-02T03:04:05.6Z',
  '2026-01-02T03:04:05.123456Z',
  '2026-01-02T03:04:05.123456789Z',
  '2026-01-02T03:04:05+01:00',
  '2026-01-02T03:04:05.5-23:59',
  '2026-01-02t03:04:05z',
  '2026-01-02 03:04:05Z',
  '2026-01-02',
  '2026-02-30T00:00:00Z',
  '2026-01-02T24:00:00Z',
  '2026-01-02T23:59:60Z',
  '0001-01-01T00:00:00Z',
  '0000-01-01T00:00:00Z',
  '9999-12-31T23:59:59Z',
  '10000-01-01T00:00:00Z',
  '1969-12-31T23:59:59Z',
  '2026-01-02T03:04:05,5Z',
  '2026-01-02T03:04Z',
  '2026-01-02T3:04:05Z',
  '2026-01-02T03:04:05+24:00',
  ' 2026-01-02T03:04:05Z',
];
const quantities = [
  '1',
  '1m',
  '0.1m',
  '1e3',
  '1E3',
  '1Ei',
  '1ki',
  '-1',
  '.5',
  '5.',
  '1 ',
  '0x1',
  '1e',
  '1e-10',
  '9223372036854775808',
  '1n',
  '1.5u',
  'NaN',
  '１',
];
const integers = [2147483647, 2147483648, -2147483648, -2147483649, 1e20, 1.0, '7', 0.1];

const targets: Readonly<Record<string, Target>> = {
  targetPort: {
    collection: `${core}/services`,
    body: service,
    path: ['spec', 'ports', 0, 'targetPort'],
    values: [...odd, '80%', 'http', 65536, ...integers],
    keys: [{ port: 80, protocol: 'TCP' }],
  },
  port: {
    collection: `${core}/services`,
    body: service,
    path: ['spec', 'ports', 0, 'port'],
    values: [...odd.filter((value) => typeof value !== 'object'), ...integers],
    keys: [{ protocol: 'TCP' }],
  },
  maxSurge: {
    collection: deployments,
    body: deployment,
    path: ['spec', 'strategy', 'rollingUpdate', 'maxSurge'],
    values: [...odd, '10%', '101%', '-1%', '1.5%', '%', ...integers],
  },
  minAvailable: {
    collection: '/apis/policy/v1/namespaces/$ns/poddisruptionbudgets',
    body: policy,
    path: ['spec', 'minAvailable'],
    values: [...odd, '10%', '101%', '-1%', ...integers],
  },
  policyPort: {
    collection: '/apis/networking.k8s.io/v1/namespaces/$ns/networkpolicies',
    body: net,
    path: ['spec', 'ingress', 0, 'ports', 0, 'port'],
    values: [...odd, 'http', 70000],
  },
  probePort: {
    collection: `${core}/pods`,
    body: pod,
    path: ['spec', 'containers', 0, 'livenessProbe', 'httpGet', 'port'],
    values: [...odd, 'http', '65536'],
    keys: [{ name: 'c' }],
  },
  cpu: {
    collection: `${core}/pods`,
    body: pod,
    path: ['spec', 'containers', 0, 'resources', 'requests', 'cpu'],
    values: [...odd, ...quantities],
    keys: [{ name: 'c' }],
  },
  replicas: {
    collection: deployments,
    body: deployment,
    path: ['spec', 'replicas'],
    values: [...odd, ...integers],
  },
  paused: { collection: deployments, body: deployment, path: ['spec', 'paused'], values: odd },
  image: {
    collection: deployments,
    body: deployment,
    path: ['spec', 'template', 'spec', 'containers', 0, 'image'],
    values: odd,
    keys: [{ name: 'c' }],
  },
  grace: {
    collection: deployments,
    body: deployment,
    path: ['spec', 'template', 'spec', 'terminationGracePeriodSeconds'],
    values: [...odd, 9223372036854775807n.toString(), 1e19, ...integers],
  },
  renewTime: {
    collection: '/apis/coordination.k8s.io/v1/namespaces/$ns/leases',
    body: lease,
    path: ['spec', 'renewTime'],
    values: [...odd, ...times],
  },
  creationTimestamp: {
    collection: '/apis/coordination.k8s.io/v1/namespaces/$ns/leases',
    body: lease,
    path: ['metadata', 'creationTimestamp'],
    values: [...odd, ...times],
  },
  deletionTimestamp: {
    collection: '/apis/coordination.k8s.io/v1/namespaces/$ns/leases',
    body: lease,
    path: ['metadata', 'deletionTimestamp'],
    values: [...odd, ...times.slice(0, 4)],
  },
  data: {
    collection: `${core}/secrets`,
    body: secret,
    path: ['data', 'a'],
    values: [
      ...odd,
      'YQ',
      'Y Q==',
      'YQ==\n',
      'YR==',
      'a-_=',
      '====',
      'YWI=\r\n',
      'YQ==YQ==',
      [1, 255],
      [256, -1],
      [null],
      [1.5],
      ['a'],
      [true],
    ],
  },
  label: { collection: `${core}/secrets`, body: secret, path: ['metadata', 'labels', 'a'], values: odd },
  labels: { collection: `${core}/secrets`, body: secret, path: ['metadata', 'labels'], values: odd },
  finalizers: {
    collection: `${core}/secrets`,
    body: secret,
    path: ['metadata', 'finalizers'],
    values: [...odd, [''], ['a'], ['a/b', 'a/b'], [null], [{}]],
  },
  generation: {
    collection: `${core}/secrets`,
    body: secret,
    path: ['metadata', 'generation'],
    values: [...odd, ...integers],
  },
  tolerance: {
    collection: '/apis/autoscaling/v2/namespaces/$ns/horizontalpodautoscalers',
    body: autoscaler,
    path: ['spec', 'behavior', 'scaleDown', 'tolerance'],
    values: [...odd, ...quantities],
  },
  containers: {
    collection: deployments,
    body: deployment,
    path: ['spec', 'template', 'spec', 'containers'],
    values: [...odd, [{}], ['x']],
  },
  selector: {
    collection: `${core}/services`,
    body: service,
    path: ['spec', 'selector'],
    values: [...odd, { a: null }, { a: {} }, { a: true }],
  },
};

function withValue(value: unknown, [key, ...rest]: Path, given: unknown): unknown {
  if (key === undefined) return given;
  if (typeof key === 'number')
    return (value as unknown[]).map((each, at) => (at === key ? withValue(each, rest, given) : each));
  const object = (value ?? {}) as Json;
  return { ...object, [key]: withValue(object[key], rest, given) };
}

/** A patch that has nothing else in it; elements of lists come with their keys. */
function only([key, ...rest]: Path, given: unknown, keys: readonly Json[] = []): unknown {
  if (key === undefined) return given;
  if (typeof key !== 'number') return { [key]: only(rest, given, keys) };
  const [own = {}, ...others] = keys;
  return [{ ...own, ...(only(rest, given, others) as Json) }];
}

function asked({ collection, body, path, keys }: Target, value: unknown): readonly Step[] {
  const one = `${collection}/o?dryRun=All`;
  const changed = withValue(body, path, value) as Json;
  const pointer = `/${path.join('/')}`;
  const type = { apiVersion: body['apiVersion'], kind: body['kind'] };
  const sole = only(path, value, keys) as Json;
  const metadata = { name: 'o', ...(sole['metadata'] as Json | undefined) };
  return [
    ask(`POST ${collection}?dryRun=All`, {
      ...changed,
      metadata: { ...(changed['metadata'] as Json), name: 'n' },
    }),
    ask(`PUT ${one}`, changed),
    ask(`PATCH ${one}`, only(path, value), mergePatch),
    ask(`PATCH ${one}`, sole, strategicPatch),
    ask(`PATCH ${one}`, [{ op: 'replace', path: pointer, value }], jsonPatch),
    ask(`PATCH ${one}`, [{ op: 'test', path: pointer, value }], jsonPatch),
    ask(`PATCH ${one}&fieldManager=a`, { ...sole, ...type, metadata }, applyPatch),
    ask(
      `PATCH ${collection}/n?dryRun=All&fieldManager=a`,
      { ...changed, metadata: { ...(changed['metadata'] as Json), name: 'n' } },
      applyPatch,
    ),
  ];
}

export const cases: readonly DifferentialCase[] = Object.entries(targets).map(([name, target]) => ({
  name,
  steps: [
    ask(`POST ${target.collection}`, target.body),
    ...target.values.flatMap((value) => asked(target, value)),
  ],
}));
