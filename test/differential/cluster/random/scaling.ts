/** Autoscalers at random: several metrics with numbers that are missing or odd, behaviours, pods that are not ready. */
import type { Choices } from '../choices.ts';
import type { JsonObject, Step, Story } from '../scenario.ts';
import { container, events, patch, scale, wait } from '../scenarios/building.ts';
import {
  define,
  external,
  measured,
  ofContainer,
  ofQueue,
  podMetrics,
  queue,
  remeasured,
  removed,
  resource,
  scaler,
  seen,
  target,
} from '../scenarios/scaling-by-metrics.ts';

export function scalingStory(choose: Choices): Story {
  const replicas = choose.whole(0, 4);
  const usage = (): JsonObject => ({
    cpu: choose.one(['0', '10m', '48m', '54m', '100m', '333m', '1']),
    memory: choose.one(['10Mi', '100Mi', '333Mi']),
  });
  const metric = (): JsonObject =>
    choose.one([
      () =>
        resource(choose.one(['cpu', 'memory']), {
          type: 'Utilization',
          averageUtilization: choose.one([10, 50, 90, 200]),
        }),
      () =>
        resource(choose.one(['cpu', 'memory']), {
          type: 'AverageValue',
          averageValue: choose.one(['20m', '100m', '50Mi']),
        }),
      () => ofContainer(choose.one(['c', 'none']), 50),
      () =>
        ofQueue(
          choose.one<JsonObject>([
            { type: 'Value', value: '5' },
            { type: 'AverageValue', averageValue: '3' },
          ]),
        ),
      (): JsonObject => ({
        type: 'Pods',
        pods: { metric: { name: 'hits' }, target: { type: 'AverageValue', averageValue: '1' } },
      }),
      (): JsonObject => ({
        type: 'Object',
        object: {
          metric: { name: 'hits' },
          describedObject: { apiVersion: 'v1', kind: 'Service', name: 's' },
          target: { type: 'Value', value: '1' },
        },
      }),
    ])();
  const rules = (): JsonObject => ({
    ...choose.maybe(0.6, () => ({ stabilizationWindowSeconds: choose.one([0, 0, 5, 300]) })),
    ...choose.maybe(0.5, () => ({ selectPolicy: choose.one(['Max', 'Min', 'Disabled']) })),
    ...choose.maybe(0.5, () => ({
      policies: choose.times(1, 2, () => ({
        type: choose.one(['Pods', 'Percent']),
        value: choose.one([1, 50, 200]),
        periodSeconds: choose.one([10, 300]),
      })),
    })),
    ...choose.maybe(0.2, () => ({ tolerance: choose.one(['0', '0.01', '0.5']) })),
  });
  const spec = (): JsonObject => ({
    minReplicas: choose.one([1, 2, 3]),
    maxReplicas: choose.one([3, 5, 8]),
    metrics: choose.times(1, 3, metric),
    ...choose.maybe(0.6, () => ({
      behavior: {
        ...choose.maybe(0.7, () => ({ scaleUp: rules() })),
        ...choose.maybe(0.7, () => ({ scaleDown: rules() })),
      },
    })),
    ...choose.maybe(0.1, () => ({
      scaleTargetRef: { apiVersion: 'apps/v1', kind: choose.one(['Deployment', 'Odd']), name: 'web' },
    })),
  });
  const happens: readonly (() => Step)[] = [
    () => remeasured(`web-${choose.whole(0, 2)}`, usage()),
    () => patch('HorizontalPodAutoscaler', 'h', { spec: spec() }),
    () => scale('StatefulSet', 'web', choose.whole(0, 6)),
    () => ({
      pods: { selector: 'app=web', do: choose.one(['running', 'ready', 'fail:1', 'delete']), optional: true },
    }),
  ];
  return {
    alone: true,
    steps: [
      ...define(podMetrics),
      ...define(external),
      ...target(replicas, choose.one(['ready', 'ready', 'ready', 'running', 'hold']), [
        container(
          choose.one<Readonly<Record<string, string>> | undefined>([
            undefined,
            { cpu: '100m', memory: '100Mi' },
            { cpu: '200m' },
          ]),
        ),
      ]),
      ...Array.from({ length: replicas }, (_, at) => at)
        .filter(() => choose.chance(0.8))
        .map((at) => measured(`web-${at}`, usage())),
      ...(choose.chance(0.6) ? [queue('q', choose.one(['1', '7', '12500m', '30']))] : []),
      { ...scaler(spec()), full: true },
      wait(3500),
      seen('first'),
      ...choose.times(0, 2, (at) => [choose.one(happens)(), wait(17_000), seen(`after-${at}`)]).flat(),
      events({ kinds: ['HorizontalPodAutoscaler'] }),
      ...removed(podMetrics),
      ...removed(external),
    ],
  };
}
