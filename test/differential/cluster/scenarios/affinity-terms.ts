/** Terms of affinity: how they are read, joined and weighed. */
import type { Scenario } from '../scenario.ts';
import { events, onNodes, podReady, remove } from './building.ts';
import {
  apart,
  cpus,
  end,
  expression,
  host,
  inZone,
  labels,
  near,
  node,
  patchPod,
  preferred,
  required,
  together,
  withSpec,
  zone,
} from './scheduling-parts.ts';

const weighted = (...terms: [number, ReturnType<typeof near>][]) => ({
  preferredDuringSchedulingIgnoredDuringExecution: terms.map(([weight, podAffinityTerm]) => ({
    weight,
    podAffinityTerm,
  })),
});

export const affinityTermScenarios: readonly Scenario[] = [
  onNodes(
    'in-several-values',
    [node('a', { labels: { k: '1' } }), node('b', { labels: { k: '2' } })],
    withSpec('x', { affinity: required(expression('k', 'In', '2', '3')) }),
    end(),
  ),
  onNodes(
    'expressions-all-hold',
    [node('a', { labels: { k: '1' } }), node('b', { labels: { k: '1', l: '1' } })],
    withSpec('x', {
      affinity: required({
        matchExpressions: [
          { key: 'k', operator: 'In', values: ['1'] },
          { key: 'l', operator: 'In', values: ['1'] },
        ],
      }),
    }),
    end(),
  ),
  onNodes(
    'fields-and-labels',
    [node('a', { labels: { k: '1' } }), node('b', { labels: { k: '1' } })],
    withSpec('x', {
      affinity: required({
        matchExpressions: [{ key: 'k', operator: 'Exists' }],
        matchFields: [{ key: 'metadata.name', operator: 'In', values: ['b'] }],
      }),
    }),
    end(),
  ),
  onNodes(
    'field-of-two-terms',
    [node('a'), node('b')],
    withSpec('x', {
      affinity: required(
        { matchFields: [{ key: 'metadata.name', operator: 'In', values: ['zz'] }] },
        { matchFields: [{ key: 'metadata.name', operator: 'In', values: ['b'] }] },
      ),
    }),
    end(),
  ),
  onNodes(
    'gt-of-word',
    [node('a', { labels: { n: 'many' } })],
    withSpec('x', { affinity: required(expression('n', 'Gt', '1')) }),
    end(),
    events(),
  ),
  onNodes(
    'lt-negative',
    [node('a', { labels: { n: '3' } })],
    withSpec('x', { affinity: required(expression('n', 'Lt', '-1')) }),
    end(),
    events(),
  ),
  onNodes(
    'selector-empty-value',
    [node('a', { labels: { k: '' } }), node('b')],
    withSpec('x', { nodeSelector: { k: '' } }),
    end(),
  ),
  onNodes(
    'preferred-all-lose',
    [node('a', { labels: { k: '1' } }), node('b')],
    withSpec('x', { affinity: preferred([50, expression('k', 'DoesNotExist')]) }),
    end(),
  ),
  onNodes(
    'preferred-against-weight',
    [node('a', { labels: { k: '1' } }), node('b', { labels: { l: '1' } })],
    withSpec('x', { affinity: preferred([1, expression('k', 'Exists')], [100, expression('l', 'Exists')]) }),
    end(),
  ),
  onNodes(
    'preferred-but-full',
    [cpus('a', '1', { labels: { k: '1' } }), node('b')],
    withSpec('x', { affinity: preferred([100, expression('k', 'Exists')]) }, { requests: { cpu: '2' } }),
    end(),
  ),
  onNodes(
    'node-label-added',
    [node('a')],
    withSpec('x', { affinity: required(expression('k', 'Exists')) }),
    end('waiting'),
    { req: 'PATCH /api/v1/nodes/a', body: { metadata: { labels: { k: '1' } } } },
    podReady('x'),
    end('after'),
    events(),
  ),
  onNodes('first-of-its-group', [node('a')], withSpec('x', together(near('web', host)), { labels }), end()),
  onNodes(
    'first-of-its-group-without-key',
    [node('a')],
    withSpec('x', together(near('web', 'rack')), { labels }),
    end(),
    events(),
  ),
  onNodes(
    'follows-into-zone',
    [inZone('a', 'z1'), inZone('b', 'z2'), inZone('c', 'z2', { labels: { k: '1' } })],
    withSpec('p', { nodeName: 'b' }, { labels }),
    podReady('p'),
    withSpec('x', { ...together(near('web', zone)), nodeSelector: { k: '1' } }),
    end(),
  ),
  onNodes(
    'apart-from-itself',
    [node('a'), node('b')],
    withSpec('x', apart(near('web', host)), { labels }),
    podReady('x'),
    withSpec('y', apart(near('web', host)), { labels }),
    podReady('y'),
    withSpec('z', apart(near('web', host)), { labels }),
    end('end'),
    events({ names: ['z'] }),
  ),
  onNodes(
    'apart-in-other-namespace',
    [node('a')],
    withSpec('p', { nodeName: 'a' }, { labels }),
    podReady('p'),
    withSpec('x', apart(near('web', host, { namespaces: ['default'] }))),
    end(),
  ),
  onNodes(
    'apart-from-finished',
    [node('a')],
    withSpec('p', { nodeName: 'a', restartPolicy: 'Never' }, { labels, run: 'succeed' }),
    podReadyOrDone('p'),
    withSpec('x', apart(near('web', host))),
    end(),
  ),
  onNodes(
    'apart-missing-key',
    [node('a')],
    withSpec('p', { nodeName: 'a' }, { labels }),
    podReady('p'),
    withSpec('x', apart(near('web', 'rack'))),
    end(),
  ),
  onNodes(
    'prefers-company',
    [node('a'), node('b')],
    withSpec('p', { nodeName: 'b' }, { labels }),
    podReady('p'),
    withSpec('x', { affinity: { podAffinity: weighted([100, near('web', host)]) } }),
    end(),
  ),
  onNodes(
    'company-against-distance',
    [inZone('a', 'z1'), inZone('b', 'z2')],
    withSpec('p', { nodeName: 'a' }, { labels }),
    withSpec('q', { nodeName: 'b' }, { labels: { app: 'db' } }),
    podReady('p'),
    podReady('q'),
    withSpec('x', {
      affinity: {
        podAffinity: weighted([10, near('web', zone)]),
        podAntiAffinity: weighted([50, near('web', zone)]),
      },
    }),
    end(),
  ),
  onNodes(
    'match-label-keys-of-affinity',
    [node('a'), node('b')],
    withSpec('p', { nodeName: 'b' }, { labels: { app: 'web', v: '2' } }),
    withSpec('q', { nodeName: 'a' }, { labels: { app: 'web', v: '1' } }),
    podReady('p'),
    podReady('q'),
    withSpec('x', together(near('web', host, { matchLabelKeys: ['v'] })), { labels: { app: 'web', v: '2' } }),
    end(),
  ),
  onNodes(
    'empty-selector-means-all',
    [node('a'), node('b')],
    withSpec('p', { nodeName: 'b' }),
    podReady('p'),
    withSpec('x', together({ labelSelector: {}, topologyKey: host })),
    end(),
  ),
  onNodes(
    'no-selector-means-none',
    [node('a')],
    withSpec('p', { nodeName: 'a' }),
    podReady('p'),
    withSpec('x', together({ topologyKey: host })),
    end(),
    events({ names: ['x'] }),
  ),
  onNodes(
    'company-relabelled',
    [node('a')],
    withSpec('p', { nodeName: 'a' }),
    podReady('p'),
    withSpec('x', together(near('web', host))),
    end('waiting'),
    patchPod('p', { metadata: { labels } }),
    podReady('x'),
    end('after'),
    events({ names: ['x'] }),
  ),
  onNodes(
    'obstacle-deleted',
    [node('a')],
    withSpec('p', { nodeName: 'a', terminationGracePeriodSeconds: 0 }, { labels }),
    podReady('p'),
    withSpec('x', apart(near('web', host))),
    end('waiting'),
    remove('Pod', 'p'),
    podReady('x'),
    end('after'),
  ),
];

function podReadyOrDone(name: string) {
  return {
    settle: { until: [{ get: `/api/v1/namespaces/$ns/pods/${name}`, where: ['status.phase==Succeeded'] }] },
  };
}
