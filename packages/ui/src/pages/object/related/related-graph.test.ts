import type { KubeObject } from '@coxswain/apimachinery';
import { expect, test } from 'vitest';
import type { KnownObject } from './links-of.ts';
import { relatedGraph, type RelatedGraph } from './related-graph.ts';

const object = (type: string, name: string, more: Readonly<Record<string, unknown>> = {}): KnownObject => {
  const [group = '', kind = ''] = type.split('/');
  const { metadata, ...rest } = more;
  return {
    group,
    kind,
    namespace: 'shop',
    name,
    object: {
      metadata: { name, namespace: 'shop', ...(metadata as object) },
      ...rest,
    } as unknown as KubeObject,
  };
};

const ownedBy = (apiVersion: string, kind: string, name: string) => ({
  ownerReferences: [{ apiVersion, kind, name, uid: name, controller: true }],
});

const labels = { app: 'web' };
const podSpec = { volumes: [{ name: 'v', configMap: { name: 'settings' } }], containers: [] };
const template = { metadata: { labels }, spec: podSpec };

const deployment = object('apps/Deployment', 'web', { spec: { template } });
const replicaSet = object('apps/ReplicaSet', 'web-1', {
  metadata: ownedBy('apps/v1', 'Deployment', 'web'),
  spec: { template },
});
const pods = ['a', 'b'].map((name) =>
  object('/Pod', `web-1-${name}`, {
    metadata: { labels, ...ownedBy('apps/v1', 'ReplicaSet', 'web-1') },
    spec: { ...podSpec, nodeName: `node-${name}` },
  }),
);
const service = object('/Service', 'web', { spec: { selector: labels } });
const others = [
  replicaSet,
  ...pods,
  service,
  object('/Service', 'other', { spec: { selector: { app: 'other' } } }),
  object('/Service', 'without-selector', { spec: {} }),
  object('autoscaling/HorizontalPodAutoscaler', 'web', {
    spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' } },
  }),
  object('networking.k8s.io/Ingress', 'shop', {
    spec: { rules: [{ http: { paths: [{ backend: { service: { name: 'web' } } }] } }] },
  }),
];

const edgesOf = ({ edges }: RelatedGraph): readonly string[] =>
  edges.map(({ from, to, by }) => `${short(from)} ${by} ${short(to)}`).toSorted();
const short = (id: string): string => id.replace('/shop/', ' ').split('/').slice(1).join('/');
const nobody = (): boolean => false;

test('a workload has what it owns, what selects or scales its pods, and what its template names', () => {
  expect(edgesOf(relatedGraph(deployment, others, nobody))).toMatchInlineSnapshot(`
    [
      "Deployment web mounts ConfigMap settings",
      "Deployment web owns ReplicaSet web-1",
      "HorizontalPodAutoscaler web scales Deployment web",
      "Ingress shop routes Service web",
      "Pod web-1-a runsOn Node//node-a",
      "Pod web-1-b runsOn Node//node-b",
      "ReplicaSet web-1 owns Pod web-1-a",
      "ReplicaSet web-1 owns Pod web-1-b",
      "Service web selects Deployment web",
    ]
  `);
});

test('a pod has its owners, what selects it and what it names, and no siblings', () => {
  const graph = relatedGraph(pods[0]!, [deployment, ...others], nobody);
  expect(edgesOf(graph)).toMatchInlineSnapshot(`
    [
      "Deployment web owns ReplicaSet web-1",
      "HorizontalPodAutoscaler web scales Deployment web",
      "Ingress shop routes Service web",
      "Pod web-1-a mounts ConfigMap settings",
      "Pod web-1-a runsOn Node//node-a",
      "ReplicaSet web-1 owns Pod web-1-a",
      "Service web selects Pod web-1-a",
    ]
  `);
});

test('of many objects of a kind few are shown, those that are unwell first', () => {
  const many = Array.from({ length: 30 }, (_, index) =>
    object('/Pod', `web-1-${String(index).padStart(2, '0')}`, {
      metadata: ownedBy('apps/v1', 'ReplicaSet', 'web-1'),
    }),
  );
  const graph = relatedGraph(replicaSet, many, ({ name }) => name === 'web-1-17');
  const shown = graph.nodes.filter(({ kind }) => kind === 'Pod');
  expect(shown.map(({ name, others }) => (others === 0 ? name : `${others} more`))).toEqual([
    'web-1-17',
    'web-1-00',
    'web-1-01',
    'web-1-02',
    'web-1-03',
    '25 more',
  ]);
  expect(graph.edges.filter(({ to }) => to.startsWith('/Pod/'))).toHaveLength(6);
});

test('objects that own each other end', () => {
  const one = object('x/A', 'one', { metadata: ownedBy('x/v1', 'A', 'two') });
  const two = object('x/A', 'two', { metadata: ownedBy('x/v1', 'A', 'one') });
  expect(edgesOf(relatedGraph(one, [two], nobody))).toEqual(['A one owns A two', 'A two owns A one']);
});
