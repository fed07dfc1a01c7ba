/** Autoscalers whose numbers are wrong, or whose target is. */
import type { JsonObject, Scenario } from '../scenario.ts';
import { create, events, patch, remove, scale, scenario, view, wait } from './building.ts';
import { autoscaler, cpu, hpa, target } from './others.ts';

const reported = events({ kinds: ['HorizontalPodAutoscaler'] });
const refused = (name: string, spec: JsonObject): Scenario =>
  scenario(name, { ...autoscaler(spec), full: true });

export const scalingScenarios: readonly Scenario[] = [
  refused('maximum-below-minimum', { minReplicas: 6 }),
  refused('minimum-of-none', { minReplicas: 0 }),
  refused('maximum-of-none', { maxReplicas: 0 }),
  refused('metric-without-target', {
    metrics: [{ type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization' } } }],
  }),
  refused('behaviour-window-too-long', { behavior: { scaleDown: { stabilizationWindowSeconds: 3601 } } }),
  refused('behaviour-without-policies', { behavior: { scaleUp: { policies: [] } } }),
  refused('behaviour-odd-policy', {
    behavior: { scaleUp: { policies: [{ type: 'Odd', value: 0, periodSeconds: 1801 }] } },
  }),
  refused('tolerance-negative', { behavior: { scaleUp: { tolerance: '-1' } } }),
  scenario(
    'target-of-no-replicas',
    target(0),
    wait(1000),
    autoscaler({ minReplicas: 2 }),
    wait(2500),
    hpa('after'),
    reported,
  ),
  scenario(
    'target-put-to-sleep',
    target(2),
    wait(1000),
    autoscaler({ metrics: [cpu('Utilization', 50)] }),
    wait(2500),
    scale('Deployment', 'web', 0),
    wait(16_000),
    hpa('after'),
  ),
  scenario(
    'target-deleted',
    target(2),
    wait(1000),
    autoscaler({}),
    wait(2000),
    remove('Deployment', 'web'),
    wait(16_000),
    view('after', 'HorizontalPodAutoscaler'),
    reported,
  ),
  scenario(
    'deleted-leaves-target',
    target(1),
    wait(1000),
    autoscaler({ minReplicas: 3 }),
    wait(2500),
    remove('HorizontalPodAutoscaler', 'h'),
    wait(1000),
    hpa('after'),
  ),
  scenario(
    'maximum-lowered',
    target(4),
    wait(1000),
    autoscaler({}),
    wait(2000),
    patch('HorizontalPodAutoscaler', 'h', { spec: { maxReplicas: 2 } }),
    wait(3000),
    hpa('after'),
    reported,
  ),
  scenario(
    'replicaset-as-target',
    create('ReplicaSet', 'web', {
      spec: {
        replicas: 1,
        selector: { matchLabels: { app: 'web' } },
        template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
      },
    }),
    wait(1000),
    autoscaler({
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web' },
      minReplicas: 2,
    }),
    wait(2500),
    view('after', 'HorizontalPodAutoscaler'),
    reported,
  ),
  scenario(
    'odd-version-of-target',
    target(1),
    wait(1000),
    autoscaler({
      scaleTargetRef: { apiVersion: 'apps/v1beta9', kind: 'Deployment', name: 'web' },
      minReplicas: 2,
    }),
    wait(2500),
    hpa('after'),
    reported,
  ),
  scenario(
    'value-of-processor',
    target(2),
    wait(1000),
    autoscaler({ metrics: [cpu('AverageValue', '100m')] }),
    wait(2500),
    hpa('after'),
    reported,
  ),
];
