/**
 * Autoscalers that get numbers. The numbers are custom resources: a definition of the metrics group answers as a
 * metrics server would.
 */
import type { JsonObject, Scenario, Step } from '../scenario.ts';
import { container, create, events, item, patch, selector, template, until, view, wait } from './building.ts';

interface MetricKind {
  readonly group: string;
  readonly plural: string;
  readonly kind: string;
}
export const podMetrics: MetricKind = { group: 'metrics.k8s.io', plural: 'pods', kind: 'PodMetrics' };
export const external: MetricKind = {
  group: 'external.metrics.k8s.io',
  plural: 'queue',
  kind: 'ExternalMetricValue',
};
const nameOf = ({ plural, group }: MetricKind) => `${plural}.${group}`;
export const define = (metric: MetricKind): Step[] => [
  create('CustomResourceDefinition', nameOf(metric), {
    metadata: { annotations: { 'api-approved.kubernetes.io': 'unapproved, for a test' } },
    spec: {
      group: metric.group,
      scope: 'Namespaced',
      names: {
        plural: metric.plural,
        singular: metric.plural,
        kind: metric.kind,
        listKind: `${metric.kind}List`,
      },
      versions: [
        {
          name: 'v1beta1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
        },
      ],
    },
  }),
  until(item('CustomResourceDefinition', nameOf(metric)), 'status.conditions[type=Established].status==True'),
  wait(2500),
];
export const removed = (metric: MetricKind): Step[] => [
  { req: `DELETE ${item('CustomResourceDefinition', nameOf(metric))}` },
  { settle: { until: [{ get: item('CustomResourceDefinition', nameOf(metric)), where: 'gone' }] } },
  wait(1500),
];
export const measured = (name: string, usage: JsonObject, more: JsonObject = {}): Step => ({
  req: 'POST /apis/metrics.k8s.io/v1beta1/namespaces/$ns/pods',
  body: {
    apiVersion: 'metrics.k8s.io/v1beta1',
    kind: 'PodMetrics',
    metadata: { name, labels: { app: 'web' } },
    timestamp: '2099-01-01T00:00:00Z',
    window: '30s',
    containers: [{ name: 'c', usage }],
    ...more,
  },
});
export const remeasured = (name: string, usage: JsonObject): Step => ({
  req: `PATCH /apis/metrics.k8s.io/v1beta1/namespaces/$ns/pods/${name}`,
  body: { containers: [{ name: 'c', usage }] },
});
export const queue = (name: string, value: string, labels: JsonObject = {}): Step => ({
  req: 'POST /apis/external.metrics.k8s.io/v1beta1/namespaces/$ns/queue',
  body: {
    apiVersion: 'external.metrics.k8s.io/v1beta1',
    kind: 'ExternalMetricValue',
    metadata: { name, labels },
    metricName: 'queue',
    metricLabels: labels,
    timestamp: '2099-01-01T00:00:00Z',
    value,
  },
});
/** Its pods have names that can be foretold. */
export const target = (
  replicas: number,
  run = 'ready',
  containers = [container({ cpu: '100m', memory: '100Mi' })],
): Step[] => [
  create('StatefulSet', 'web', {
    spec: {
      replicas,
      serviceName: 's',
      podManagementPolicy: 'Parallel',
      selector,
      template: template({ run, spec: { containers } }),
    },
  }),
  until(item('StatefulSet', 'web'), `status.replicas==${replicas}`),
  wait(1500),
];
export const scaler = (spec: JsonObject): Step =>
  create('HorizontalPodAutoscaler', 'h', {
    spec: {
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'web' },
      minReplicas: 1,
      maxReplicas: 6,
      ...spec,
    },
  });
export const resource = (name: string, targetOf: JsonObject): JsonObject => ({
  type: 'Resource',
  resource: { name, target: targetOf },
});
const utilization = (averageUtilization: number, name = 'cpu') =>
  resource(name, { type: 'Utilization', averageUtilization });
const average = (averageValue: string, name = 'cpu') =>
  resource(name, { type: 'AverageValue', averageValue });
export const ofContainer = (name: string, averageUtilization: number): JsonObject => ({
  type: 'ContainerResource',
  containerResource: { name: 'cpu', container: name, target: { type: 'Utilization', averageUtilization } },
});
export const ofQueue = (targetOf: JsonObject, matchLabels?: JsonObject): JsonObject => ({
  type: 'External',
  external: {
    metric: { name: 'queue', ...(matchLabels && { selector: { matchLabels } }) },
    target: targetOf,
  },
});
/** Looked at every fifteen seconds. */
const look = wait(3500);
const again = wait(17_000);
export const seen = (name: string): Step =>
  view(name, 'HorizontalPodAutoscaler', {
    get: '/apis/apps/v1/namespaces/$ns/statefulsets',
    pick: ['spec.replicas'],
  });
const reported = events({ kinds: ['HorizontalPodAutoscaler'] });

const withPods = (name: string, ...steps: Step[]): Scenario => ({
  name,
  alone: true,
  steps: [...define(podMetrics), ...steps, ...removed(podMetrics)],
});
const withQueue = (name: string, ...steps: Step[]): Scenario => ({
  name,
  alone: true,
  steps: [...define(external), ...steps, ...removed(external)],
});
const each = (usage: JsonObject, ...names: number[]) => names.map((at) => measured(`web-${at}`, usage));

export const scalingByMetricsScenarios: readonly Scenario[] = [
  withPods(
    'metrics-scale-up',
    ...target(2),
    ...each({ cpu: '100m', memory: '50Mi' }, 0, 1),
    scaler({ metrics: [utilization(50)] }),
    look,
    seen('up'),
    reported,
  ),
  withPods(
    'metrics-within-tolerance',
    ...target(2),
    ...each({ cpu: '54m', memory: '50Mi' }, 0, 1),
    scaler({ metrics: [utilization(50)] }),
    look,
    seen('same'),
    reported,
  ),
  withPods(
    'metrics-own-tolerance',
    ...target(2),
    ...each({ cpu: '54m', memory: '50Mi' }, 0, 1),
    scaler({ metrics: [utilization(50)], behavior: { scaleUp: { tolerance: '0.01' } } }),
    look,
    seen('up'),
    reported,
  ),
  withPods(
    'metrics-scale-down-stabilised',
    ...target(4),
    ...each({ cpu: '10m', memory: '50Mi' }, 0, 1, 2, 3),
    scaler({ metrics: [utilization(50)] }),
    look,
    seen('down'),
    reported,
  ),
  withPods(
    'metrics-scale-down-at-once',
    ...target(4),
    ...each({ cpu: '10m', memory: '50Mi' }, 0, 1, 2, 3),
    scaler({ metrics: [utilization(50)], behavior: { scaleDown: { stabilizationWindowSeconds: 0 } } }),
    look,
    seen('down'),
    reported,
  ),
  withPods(
    'metrics-scale-down-one-pod',
    ...target(4),
    ...each({ cpu: '10m', memory: '50Mi' }, 0, 1, 2, 3),
    scaler({
      metrics: [utilization(50)],
      behavior: {
        scaleDown: {
          stabilizationWindowSeconds: 0,
          policies: [
            { type: 'Pods', value: 1, periodSeconds: 300 },
            { type: 'Percent', value: 50, periodSeconds: 300 },
          ],
          selectPolicy: 'Min',
        },
      },
    }),
    look,
    seen('down'),
    again,
    seen('held'),
    reported,
  ),
  withPods(
    'metrics-scale-down-disabled',
    ...target(4),
    ...each({ cpu: '10m', memory: '50Mi' }, 0, 1, 2, 3),
    scaler({
      metrics: [utilization(50)],
      behavior: { scaleDown: { stabilizationWindowSeconds: 0, selectPolicy: 'Disabled' } },
    }),
    look,
    seen('held'),
    reported,
  ),
  withPods(
    'metrics-scale-up-percent',
    ...target(2),
    ...each({ cpu: '400m', memory: '50Mi' }, 0, 1),
    scaler({
      metrics: [utilization(50)],
      behavior: { scaleUp: { policies: [{ type: 'Percent', value: 50, periodSeconds: 300 }] } },
    }),
    look,
    seen('up'),
    reported,
  ),
  withPods(
    'metrics-scale-up-stabilised',
    ...target(2),
    ...each({ cpu: '20m', memory: '50Mi' }, 0, 1),
    scaler({
      metrics: [utilization(50)],
      behavior: { scaleUp: { stabilizationWindowSeconds: 300 }, scaleDown: { selectPolicy: 'Disabled' } },
    }),
    look,
    remeasured('web-0', { cpu: '200m', memory: '1Mi' }),
    remeasured('web-1', { cpu: '200m', memory: '1Mi' }),
    again,
    seen('held'),
    reported,
  ),
  withPods(
    'metrics-beyond-maximum',
    ...target(2),
    ...each({ cpu: '900m', memory: '50Mi' }, 0, 1),
    scaler({ maxReplicas: 3, metrics: [utilization(50)] }),
    look,
    seen('limited'),
    reported,
  ),
  withPods(
    'metrics-scale-up-limit',
    ...target(1),
    measured('web-0', { cpu: '2', memory: '50Mi' }),
    scaler({ maxReplicas: 30, metrics: [utilization(50)] }),
    look,
    seen('limited'),
    reported,
  ),
  withPods(
    'metrics-of-one-pod-missing',
    ...target(3),
    ...each({ cpu: '100m', memory: '50Mi' }, 0, 1),
    scaler({ metrics: [utilization(50)] }),
    look,
    seen('careful'),
    reported,
  ),
  withPods(
    'metrics-of-one-pod-missing-going-down',
    ...target(3),
    ...each({ cpu: '10m', memory: '50Mi' }, 0, 1),
    scaler({ metrics: [utilization(50)], behavior: { scaleDown: { stabilizationWindowSeconds: 0 } } }),
    look,
    seen('careful'),
    reported,
  ),
  withPods(
    'metrics-of-unready-pods',
    ...target(2, 'running'),
    ...each({ cpu: '100m', memory: '50Mi' }, 0, 1),
    scaler({ metrics: [utilization(50)] }),
    look,
    seen('after'),
    reported,
  ),
  withPods(
    'metrics-memory-of-unready-pods',
    ...target(2, 'running'),
    ...each({ cpu: '100m', memory: '200Mi' }, 0, 1),
    scaler({ metrics: [average('100Mi', 'memory')] }),
    look,
    seen('after'),
    reported,
  ),
  withPods(
    'metrics-average-value',
    ...target(2),
    ...each({ cpu: '150m', memory: '50Mi' }, 0, 1),
    scaler({ metrics: [average('100m')] }),
    look,
    seen('up'),
    reported,
  ),
  withPods(
    'metrics-two-largest-wins',
    ...target(2),
    ...each({ cpu: '75m', memory: '200Mi' }, 0, 1),
    scaler({ metrics: [utilization(50), average('100Mi', 'memory')] }),
    look,
    seen('up'),
    reported,
  ),
  withPods(
    'metrics-one-of-two-fails-going-up',
    ...target(2),
    ...each({ cpu: '100m' }, 0, 1),
    scaler({ metrics: [utilization(50), utilization(50, 'memory')] }),
    look,
    seen('up'),
    reported,
  ),
  withPods(
    'metrics-one-of-two-fails-going-down',
    ...target(3),
    ...each({ cpu: '10m' }, 0, 1, 2),
    scaler({
      metrics: [utilization(50), ofQueue({ type: 'Value', value: '1' })],
      behavior: { scaleDown: { stabilizationWindowSeconds: 0 } },
    }),
    look,
    seen('held'),
    reported,
  ),
  withPods(
    'metrics-without-requests',
    ...target(2, 'ready', [container()]),
    ...each({ cpu: '100m', memory: '1Mi' }, 0, 1),
    scaler({ metrics: [utilization(50)] }),
    look,
    seen('failed'),
    reported,
  ),
  withPods(
    'metrics-of-container',
    ...target(2, 'ready', [
      container({ cpu: '100m' }),
      { name: 'side', image: 'img:1', resources: { requests: { cpu: '1' } } },
    ]),
    ...[0, 1].map((at) =>
      measured(
        `web-${at}`,
        {},
        {
          containers: [
            { name: 'c', usage: { cpu: '150m' } },
            { name: 'side', usage: { cpu: '1m' } },
          ],
        },
      ),
    ),
    scaler({ metrics: [ofContainer('c', 50)] }),
    look,
    seen('up'),
    reported,
  ),
  withPods(
    'metrics-of-container-that-is-not-there',
    ...target(2),
    ...each({ cpu: '100m' }, 0, 1),
    scaler({ metrics: [ofContainer('none', 50)] }),
    look,
    seen('failed'),
    reported,
  ),
  withPods(
    'metrics-of-finished-pod',
    ...target(2),
    ...each({ cpu: '60m', memory: '1Mi' }, 0, 1),
    create('Pod', 'done', {
      metadata: { labels: { app: 'web' }, annotations: { 'sim/run': 'fail:1' } },
      spec: { containers: [container({ cpu: '100m' })], restartPolicy: 'Never' },
    }),
    wait(1500),
    scaler({ metrics: [utilization(50)] }),
    look,
    seen('after'),
    reported,
  ),
  withPods(
    'metrics-come-back',
    ...target(2),
    scaler({ metrics: [utilization(50)] }),
    look,
    seen('none'),
    ...each({ cpu: '100m', memory: '1Mi' }, 0, 1),
    again,
    seen('up'),
    reported,
  ),
  withPods(
    'metrics-two-autoscalers',
    ...target(2),
    ...each({ cpu: '100m', memory: '1Mi' }, 0, 1),
    scaler({ metrics: [utilization(50)] }),
    create('HorizontalPodAutoscaler', 'other', {
      spec: {
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'web' },
        maxReplicas: 3,
        metrics: [utilization(90)],
      },
    }),
    look,
    again,
    seen('neither'),
    reported,
  ),
  withPods(
    'metrics-target-changed',
    ...target(2),
    ...each({ cpu: '50m', memory: '1Mi' }, 0, 1),
    scaler({ metrics: [utilization(50)] }),
    look,
    seen('before'),
    patch('HorizontalPodAutoscaler', 'h', { spec: { metrics: [utilization(10)] } }),
    look,
    again,
    seen('after'),
    reported,
  ),
  withQueue(
    'metrics-external-value',
    ...target(2),
    queue('a', '30'),
    queue('b', '10'),
    scaler({ metrics: [ofQueue({ type: 'Value', value: '20' })] }),
    look,
    seen('up'),
    reported,
  ),
  withQueue(
    'metrics-external-average',
    ...target(2),
    queue('a', '30', { of: 'mine' }),
    queue('b', '500', { of: 'other' }),
    scaler({ metrics: [ofQueue({ type: 'AverageValue', averageValue: '10' }, { of: 'mine' })] }),
    look,
    seen('up'),
    reported,
  ),
  withQueue(
    'metrics-external-none-match',
    ...target(2),
    queue('a', '30', { of: 'other' }),
    scaler({ metrics: [ofQueue({ type: 'AverageValue', averageValue: '10' }, { of: 'mine' })] }),
    look,
    seen('failed'),
    reported,
  ),
  withQueue(
    'metrics-external-fraction',
    ...target(3),
    queue('a', '1500m'),
    scaler({
      metrics: [ofQueue({ type: 'AverageValue', averageValue: '700m' })],
      behavior: { scaleDown: { stabilizationWindowSeconds: 0 } },
    }),
    look,
    seen('after'),
    reported,
  ),
];
