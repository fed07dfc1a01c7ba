/**
 * In a cluster of one process, components hold up the API server: what they do for an object must grow with its size,
 * not with the square of it, whichever of its lists is long.
 */
import { createCluster, type TestCluster, type TestSnapshot } from 'coxswain/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { countedWork, type WorkCounter } from '../../api/test/counted-work.ts';

/** Without the rest of the API server, whose work for each item would hide that of others. */
const sources =
  /\/packages\/((client|kubelet|kube-controller-manager|kube-proxy|kube-scheduler|network-policy|simulated-nodes)\/src|apiserver\/src\/registry)\//;

let counter: WorkCounter;
beforeAll(async () => void (counter = await countedWork(sources)));
afterAll(() => counter.stop());

const many = <T>(count: number, make: (at: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => make(at));
const matchLabels = (at: number) => ({ matchLabels: { app: `app-${at}` } });

type Spec = Readonly<Record<string, unknown>>;

const pod = (spec: Spec, container: Spec = {}): object => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'long', labels: { app: 'app-1' } },
  spec: { containers: [{ name: 'c', image: 'nginx', ...container }], ...spec },
});

const volumes = (source: (at: number) => Spec) => (count: number) =>
  pod({ volumes: many(count, (at) => ({ name: `v${at}`, ...source(at) })) });

const term = (at: number) => ({ topologyKey: 'kubernetes.io/hostname', labelSelector: matchLabels(at + 2) });

/** @param of of the two objects of the same kind, this one: 0 or 1 */
type Make = (count: number, of: number) => object;

const byTheirLists: Readonly<Record<string, Make>> = {
  'containers of a pod': (count) =>
    pod({ containers: many(count, (at) => ({ name: `c${at}`, image: 'nginx' })) }),
  'claims of a pod': volumes((at) => ({ persistentVolumeClaim: { claimName: `claim-${at}` } })),
  'secrets of a pod': volumes((at) => ({ secret: { secretName: `secret-${at}`, optional: true } })),
  'disks of a pod': volumes((at) => ({ rbd: { monitors: ['m'], pool: 'p', image: `i-${at}` } })),
  'scratch volumes of a pod': volumes(() => ({ emptyDir: {} })),
  'host ports of a pod': (count, of) =>
    pod({}, { ports: many(count, (at) => ({ containerPort: at + 1, hostPort: at + 1 + of * 1_000 })) }),
  'variables of a pod': (count) =>
    pod({}, { env: many(count, (at) => ({ name: `E${at}`, value: `$(E${at - 1})` })) }),
  'variables from fields of a pod': (count) =>
    pod(
      {},
      {
        env: many(count, (at) => ({
          name: `E${at}`,
          valueFrom: { fieldRef: { fieldPath: 'metadata.name' } },
        })),
      },
    ),
  'tolerations of a pod': (count) =>
    pod({ tolerations: many(count, (at) => ({ key: `k${at}`, operator: 'Exists' })) }),
  'spread constraints of a pod': (count) =>
    pod({
      topologySpreadConstraints: many(count, (at) => ({
        maxSkew: 1,
        topologyKey: `t${at}`,
        whenUnsatisfiable: 'ScheduleAnyway',
        labelSelector: matchLabels(at),
      })),
    }),
  'other pods that a pod avoids': (count) =>
    pod({
      affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: many(count, term) } },
    }),
  'other pods that a pod prefers': (count) =>
    pod({
      affinity: {
        podAffinity: {
          preferredDuringSchedulingIgnoredDuringExecution: many(count, (at) => ({
            weight: 1,
            podAffinityTerm: term(at),
          })),
        },
      },
    }),
  'nodes that a pod may be on': (count) =>
    pod({
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: many(count, (at) => ({
              matchExpressions: [{ key: `k${at}`, operator: 'DoesNotExist' }],
            })),
          },
        },
      },
    }),
  'gates of a pod': (count) =>
    pod({ readinessGates: many(count, (at) => ({ conditionType: `gate-${at}` })) }),
  'aliases of a pod': (count) =>
    pod({ hostAliases: many(count, (at) => ({ ip: `10.0.0.${at}`, hostnames: [`h${at}`] })) }),
  'finalizers of an object': (count) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'long', finalizers: many(count, (at) => `example.com/f${at}`) },
  }),
  'owners of an object': (count) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name: 'long',
      ownerReferences: many(count, (at) => ({
        apiVersion: 'v1',
        kind: 'Node',
        name: `n${at}`,
        uid: `u${at}`,
      })),
    },
  }),
  'ports of a service': (count) => ({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'long' },
    spec: { selector: { app: 'app-1' }, ports: many(count, (at) => ({ name: `p${at}`, port: at + 1 })) },
  }),
  'peers of a network policy': (count) => ({
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name: 'long' },
    spec: {
      podSelector: {},
      ingress: [
        {
          from: many(count, (at) => ({ podSelector: matchLabels(at) })),
          ports: many(count, (at) => ({ port: at + 1 })),
        },
      ],
    },
  }),
  'rules of a network policy': (count) => ({
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name: 'long' },
    spec: {
      podSelector: {},
      ingress: many(count, (at) => ({ from: [{ ipBlock: { cidr: `10.1.${at % 256}.0/24` } }] })),
    },
  }),
  'metrics of an autoscaler': (count) => ({
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: { name: 'long' },
    spec: {
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
      maxReplicas: 3,
      metrics: many(count, (at) => ({
        type: 'Pods',
        pods: { metric: { name: `m${at}` }, target: { type: 'AverageValue', averageValue: '1' } },
      })),
    },
  }),
  'limits of a quota': (count) => ({
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { name: 'long' },
    spec: { hard: Object.fromEntries(many(count, (at) => [`count/kind-${at}.example`, '1'])) },
  }),
  'labels of a budget': (count) => ({
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: 'long' },
    spec: {
      minAvailable: 1,
      selector: { matchLabels: Object.fromEntries(many(count, (at) => [`l${at}`, 'x'])) },
    },
  }),
  'selectors of a role': (count) => ({
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name: 'long' },
    aggregationRule: { clusterRoleSelectors: many(count, matchLabels) },
  }),
  'rules of a role that others include': (count) => ({
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name: 'long', labels: { 'rbac.authorization.k8s.io/aggregate-to-view': 'true' } },
    rules: many(count, (at) => ({ apiGroups: ['example'], resources: [`r${at}`], verbs: ['get'] })),
  }),
  'addresses of endpoints': (count) => ({
    apiVersion: 'v1',
    kind: 'Endpoints',
    metadata: { name: 'web' },
    subsets: [
      {
        addresses: many(count, (at) => ({ ip: `11.0.${at >> 8}.${at & 255}` })),
        ports: many(3, (at) => ({ name: `p${at}`, port: at + 1 })),
      },
    ],
  }),
  'subsets of endpoints': (count) => ({
    apiVersion: 'v1',
    kind: 'Endpoints',
    metadata: { name: 'web' },
    subsets: many(count, (at) => ({
      addresses: [{ ip: `11.0.${at >> 8}.${at & 255}` }],
      ports: [{ name: `p${at}`, port: at + 1 }],
    })),
  }),
  'claims of a stateful set': (count) => ({
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name: 'long' },
    spec: {
      serviceName: 'long',
      selector: matchLabels(3),
      template: {
        metadata: { labels: { app: 'app-3' } },
        spec: { containers: [{ name: 'c', image: 'nginx' }] },
      },
      volumeClaimTemplates: many(count, (at) => ({
        metadata: { name: `c${at}` },
        spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Mi' } } },
      })),
    },
  }),
};

const counts = [40, 80, 160] as const;
/**
 * The second step is twice as long as the first, so it may cost twice as much, with a margin for sorting; work that grows
 * with the square costs four times as much. What does not depend on the length cancels out.
 */
const growthMax = 2.8;
/** Less work than this may depend on anything. */
const workFree = 5_000;
/** Other work of the cluster may fall into a measurement, so what seems to grow too much is measured again. */
const timesMax = 4;

interface Made {
  readonly kind: string;
  readonly metadata: Spec;
}

/** The work for two such objects, from creation over a change to deletion. */
async function workFor(
  cluster: TestCluster,
  before: TestSnapshot,
  make: Make,
  count: number,
): Promise<number> {
  const [one, two] = [make(count, 0), make(count, 1)] as [Made, Made];
  const objects = one.kind === 'Pod' ? [one, named(two, 'other')] : [one];
  // Most of a pod and of a stateful set must not change.
  const changed = /^(Pod|StatefulSet)$/.test(one.kind) ? annotated(one) : make(count + 1, 0);
  const step = async (work: Promise<unknown>) => {
    await work;
    await cluster.idle();
  };
  const counted = await counter.count(async () => {
    await step(cluster.apply(objects as never));
    await step(cluster.apply(changed as never));
    await step(cluster.remove(objects as never));
  });
  await cluster.reset(before);
  return counted;
}

const named = (object: Made, name: string): Made => ({ ...object, metadata: { ...object.metadata, name } });

const annotated = (object: Made): Made => ({
  ...object,
  metadata: { ...object.metadata, annotations: { changed: 'true' } },
});

function growsTooMuch(costs: readonly number[]): boolean {
  const [few, more, most] = costs as [number, number, number];
  return !Number.isFinite(few) || (most - more > workFree && (most - more) / (more - few) > growthMax);
}

test('components do work in proportion to the length of each list', async () => {
  await using cluster = await createCluster({ seed: 1 });
  await cluster.apply({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'web' },
    spec: { ports: [{ port: 80 }] },
  });
  await cluster.idle();
  const before = cluster.snapshot();
  const grown: string[] = [];
  for (const [what, make] of Object.entries(byTheirLists)) {
    // The first time, more is made.
    await workFor(cluster, before, make, 1);
    let costs: readonly number[] = counts.map(() => Number.POSITIVE_INFINITY);
    for (let times = 0; times < timesMax && growsTooMuch(costs); times++) {
      const again: number[] = [];
      for (const count of counts) again.push(await workFor(cluster, before, make, count));
      costs = costs.map((cost, at) => Math.min(cost, again[at]!));
    }
    if (growsTooMuch(costs)) grown.push(`${what}: ${costs.join(' → ')}`);
  }
  expect(grown).toEqual([]);
}, 600_000);
