/**
 * The workloads of the original's scheduler_perf at 5,000 nodes, for `scheduler.ts` and `scheduler-beside-go.ts`:
 * how the nodes are labelled, which pods are there before, which pods are measured.
 */

export interface SchedulerWorkload {
  readonly name: string;
  /** The pods per second that upstream's own benchmark must reach in CI. */
  readonly floor: number;
  /** The values of `topology.kubernetes.io/zone`, assigned in turn; without any, nodes have no such label. */
  readonly zones: readonly string[];
  readonly before: PodGroup;
  readonly measured: PodGroup;
}

export interface PodGroup {
  readonly count: number;
  readonly namespace: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly spec: object;
}

const container = (cpu: string) => {
  const amounts = { cpu, memory: '500Mi' };
  const resources = { limits: amounts, requests: amounts };
  return { image: 'registry.k8s.io/pause:3.10.2', name: 'pause', ports: [{ containerPort: 80 }], resources };
};
const plain = { containers: [container('100m')] };
const zone = 'topology.kubernetes.io/zone';
const hostname = 'kubernetes.io/hostname';
const bothNamespaces = ['sched-1', 'sched-0'];
const required = (term: object) => ({ requiredDuringSchedulingIgnoredDuringExecution: term });
const like = (color: string, topologyKey: string) => ({
  labelSelector: { matchLabels: { color } },
  topologyKey,
  namespaces: bothNamespaces,
});

const near = { ...plain, affinity: { podAffinity: required([like('blue', zone)]) } };
const apart = { ...plain, affinity: { podAntiAffinity: required([like('green', hostname)]) } };
const preferNear = {
  ...plain,
  affinity: {
    podAffinity: {
      preferredDuringSchedulingIgnoredDuringExecution: [
        { weight: 1, podAffinityTerm: { ...like('red', hostname) } },
      ],
    },
  },
};
const inZones = {
  ...plain,
  affinity: {
    nodeAffinity: required({
      nodeSelectorTerms: [{ matchExpressions: [{ key: zone, operator: 'In', values: ['zone1', 'zone2'] }] }],
    }),
  },
};
const spread = {
  ...plain,
  topologySpreadConstraints: [
    {
      maxSkew: 5,
      topologyKey: zone,
      whenUnsatisfiable: 'DoNotSchedule',
      labelSelector: { matchLabels: { color: 'blue' } },
    },
  ],
};

export const nodeCount = 5_000;

export const schedulerWorkloads: readonly SchedulerWorkload[] = [
  {
    name: 'SchedulingBasic',
    floor: 680,
    zones: [],
    before: { count: 1_000, namespace: 'default', spec: plain },
    measured: { count: 10_000, namespace: 'default', spec: plain },
  },
  {
    name: 'TopologySpreading',
    floor: 460,
    zones: ['moon-1', 'moon-2', 'moon-3'],
    before: { count: 5_000, namespace: 'default', spec: plain },
    measured: { count: 5_000, namespace: 'default', labels: { color: 'blue' }, spec: spread },
  },
  {
    name: 'PodAffinity',
    floor: 35,
    zones: ['zone1'],
    before: { count: 5_000, namespace: 'sched-0', labels: { color: 'blue' }, spec: near },
    measured: { count: 5_000, namespace: 'sched-1', labels: { color: 'blue' }, spec: near },
  },
  {
    name: 'PreferredPodAffinity',
    floor: 90,
    zones: [],
    before: { count: 5_000, namespace: 'sched-0', labels: { color: 'red' }, spec: preferNear },
    measured: { count: 5_000, namespace: 'sched-1', labels: { color: 'red' }, spec: preferNear },
  },
  {
    name: 'PodAntiAffinity',
    floor: 60,
    zones: [],
    before: { count: 1_000, namespace: 'sched-0', labels: { color: 'green' }, spec: apart },
    measured: { count: 2_000, namespace: 'sched-1', labels: { color: 'green' }, spec: apart },
  },
  {
    name: 'NodeAffinity',
    floor: 220,
    zones: ['zone1'],
    before: { count: 5_000, namespace: 'default', spec: inZones },
    measured: { count: 10_000, namespace: 'default', spec: inZones },
  },
  {
    name: 'Preemption',
    floor: 160,
    zones: [],
    before: {
      count: 20_000,
      namespace: 'default',
      spec: { terminationGracePeriodSeconds: 0, containers: [container('900m')] },
    },
    measured: {
      count: 1_000,
      namespace: 'default',
      spec: { priority: 10, containers: [container('3000m')] },
    },
  },
];

export const nodeObject = (index: number, { zones }: SchedulerWorkload) => {
  const name = `scheduler-perf-${index}`;
  const zoneOf = zones.length === 0 ? {} : { [zone]: zones[index % zones.length] };
  const amounts = { pods: '110', cpu: '4', memory: '32Gi' };
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels: { [hostname]: name, ...zoneOf } },
    spec: {},
    status: {
      capacity: amounts,
      allocatable: amounts,
      conditions: [{ type: 'Ready', status: 'True', reason: 'Ready' }],
    },
  };
};

export const podObject = (name: string, { namespace, labels, spec }: PodGroup) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace, ...(labels && { labels }) },
  spec,
});
