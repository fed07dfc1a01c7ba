/** Custom resources as owners, dependents, contents, counted objects and things to scale. */
import type { JsonObject, Scenario, Step } from '../scenario.ts';
import {
  collection,
  container,
  create,
  events,
  item,
  object,
  patch,
  pod,
  podReady,
  remove,
  scenario,
  until,
  view,
  wait,
} from './building.ts';

const group = 'c$id.org';
const definition = item('CustomResourceDefinition', `things.${group}`);
const things = `/apis/${group}/v1/namespaces/$ns/things`;

/** Kinds of one group, so that scenarios don't meet. */
export function define(more: JsonObject = {}, scope = 'Namespaced'): Step[] {
  return [
    create('CustomResourceDefinition', `things.${group}`, {
      spec: {
        group,
        scope,
        names: { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList' },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
            subresources: {
              status: {},
              scale: {
                specReplicasPath: '.spec.replicas',
                statusReplicasPath: '.status.replicas',
                labelSelectorPath: '.status.selector',
              },
            },
            ...more,
          },
        ],
      },
    }),
    until(definition, 'status.conditions[type=Established].status==True'),
    wait(500),
  ];
}
const thing = (name: string, rest: JsonObject = {}, more: Partial<Step> = {}): Step => {
  const { metadata, ...others } = rest;
  const body = {
    apiVersion: `${group}/v1`,
    kind: 'Thing',
    metadata: { name, ...(metadata as JsonObject) },
    ...others,
  };
  return { req: `POST ${things}`, body, ...more };
};
const ownedBy = (owner: string, more: JsonObject = {}): JsonObject => ({
  ownerReferences: [
    { apiVersion: `${group}/v1`, kind: 'Thing', name: owner, uid: `$${owner}.metadata.uid`, ...more },
  ],
});
const drop = (name: string, propagationPolicy: string): Step => ({
  req: `DELETE ${things}/${name}`,
  body: { apiVersion: 'v1', kind: 'DeleteOptions', propagationPolicy },
});
/** The collector looks for new resources twice a minute; what it knows of before is gathered at once. */
const patience = 45_000;
const gone = (get: string): Step => ({ settle: { until: [{ get, where: 'gone' }], timeoutMs: patience } });
const empty = (get: string): Step => ({
  settle: { until: [{ get, where: 'items.#==0' }], timeoutMs: patience },
});

export const customGcScenarios: readonly Scenario[] = [
  scenario(
    'custom-owner-background',
    ...define(),
    thing('o', {}, { name: 'o' }),
    create('ConfigMap', 'd', { metadata: ownedBy('o') }),
    wait(32_000),
    drop('o', 'Background'),
    gone(item('ConfigMap', 'd')),
    view('after', things, 'ConfigMap'),
  ),
  scenario(
    'custom-owner-foreground',
    ...define(),
    thing('o', {}, { name: 'o' }),
    create('ConfigMap', 'd', {
      metadata: { ...ownedBy('o', { blockOwnerDeletion: true }), finalizers: ['x.org/f'] },
    }),
    wait(32_000),
    drop('o', 'Foreground'),
    wait(3000),
    view('waiting', things, 'ConfigMap'),
    patch('ConfigMap', 'd', { metadata: { finalizers: null } }),
    gone(`${things}/o`),
    view('after', things, 'ConfigMap'),
  ),
  scenario(
    'custom-chain-orphaned',
    ...define(),
    thing('o', {}, { name: 'o' }),
    thing('m', { metadata: ownedBy('o') }, { name: 'm' }),
    create('ConfigMap', 'd', { metadata: ownedBy('m') }),
    wait(32_000),
    drop('o', 'Orphan'),
    gone(`${things}/o`),
    view('orphaned', things, 'ConfigMap'),
    drop('m', 'Background'),
    empty(`${collection('ConfigMap')}?fieldSelector=metadata.name=d`),
  ),
  scenario(
    'custom-definition-deleted-with-owner',
    ...define(),
    thing('o', {}, { name: 'o' }),
    create('ConfigMap', 'd', { metadata: ownedBy('o') }),
    wait(32_000),
    remove('CustomResourceDefinition', `things.${group}`),
    gone(definition),
    wait(5000),
    view('after', 'ConfigMap'),
    events(),
  ),
  scenario(
    'custom-definition-with-held-object',
    ...define(),
    thing('held', { metadata: { finalizers: ['x.org/f'] } }),
    thing('free'),
    remove('CustomResourceDefinition', `things.${group}`),
    wait(3000),
    view('held', definition, things),
    thing('late', {}, { full: true }),
    { req: `PATCH ${things}/held`, body: { metadata: { finalizers: null } } },
    gone(definition),
  ),
];

export const customNamespaceScenarios: readonly Scenario[] = [
  scenario(
    'custom-content',
    ...define(),
    { req: `POST ${collection('Namespace')}`, body: object('Namespace', '$ns-x') },
    {
      req: `POST /apis/${group}/v1/namespaces/$ns-x/things`,
      body: {
        apiVersion: `${group}/v1`,
        kind: 'Thing',
        metadata: { name: 'a', finalizers: ['x.org/f', 'x.org/g'] },
      },
    },
    {
      req: `POST /apis/${group}/v1/namespaces/$ns-x/things`,
      body: { apiVersion: `${group}/v1`, kind: 'Thing', metadata: { name: 'b', finalizers: ['x.org/g'] } },
    },
    { req: `DELETE ${item('Namespace', '$ns-x')}` },
    {
      settle: {
        until: [
          {
            get: item('Namespace', '$ns-x'),
            where: 'status.conditions[type=NamespaceFinalizersRemaining].status==True',
          },
        ],
        timeoutMs: patience,
      },
    },
    view('stuck', item('Namespace', '$ns-x'), `/apis/${group}/v1/namespaces/$ns-x/things`),
    { req: `PATCH /apis/${group}/v1/namespaces/$ns-x/things/a`, body: { metadata: { finalizers: null } } },
    { req: `PATCH /apis/${group}/v1/namespaces/$ns-x/things/b`, body: { metadata: { finalizers: null } } },
    gone(item('Namespace', '$ns-x')),
  ),
];

export const customQuotaScenarios: readonly Scenario[] = [
  scenario(
    'custom-counts',
    ...define(),
    // The original looks for new resources twice a minute.
    wait(34_000),
    create('ResourceQuota', 'q', { spec: { hard: { [`count/things.${group}`]: '2' } } }),
    wait(1500),
    thing('a'),
    thing('b'),
    thing('c', {}, { full: true }),
    wait(1000),
    view('full', 'ResourceQuota'),
    drop('a', 'Background'),
    {
      settle: {
        until: [{ get: item('ResourceQuota', 'q'), where: `status.used["count/things.${group}"]==1` }],
        timeoutMs: patience,
      },
    },
    view('after', 'ResourceQuota'),
  ),
];

const labelled = (name: string, metadata: JsonObject = {}): Step =>
  pod(name, {
    labels: { app: 'r' },
    metadata: { labels: { app: 'r' }, ...metadata },
    spec: { containers: [container()] },
  });
const budget = (spec: JsonObject): Step =>
  create('PodDisruptionBudget', 'b', { spec: { selector: { matchLabels: { app: 'r' } }, ...spec } });
const controlled = (owner: string): JsonObject => ownedBy(owner, { controller: true });
const set = (...metadata: JsonObject[]) =>
  metadata.flatMap((one, at) => [labelled(`p${at}`, one), podReady(`p${at}`)]);
const budgets = view('budget', 'PodDisruptionBudget');
const budgetEvents = events({ kinds: ['PodDisruptionBudget'] });

export const customBudgetScenarios: readonly Scenario[] = [
  scenario(
    'custom-owner-scaled-by-percent',
    ...define(),
    thing('o', { spec: { replicas: 4 } }, { name: 'o' }),
    ...set(controlled('o'), controlled('o'), controlled('o')),
    budget({ maxUnavailable: '50%' }),
    wait(1500),
    budgets,
    budgetEvents,
  ),
  scenario(
    'custom-owner-without-replicas',
    ...define(),
    thing('o', {}, { name: 'o' }),
    ...set(controlled('o'), controlled('o')),
    budget({ maxUnavailable: 1 }),
    wait(1500),
    budgets,
    budgetEvents,
  ),
  scenario(
    'custom-owner-without-scale',
    ...define({ subresources: { status: {} } }),
    thing('o', { spec: { replicas: 4 } }, { name: 'o' }),
    ...set(controlled('o'), controlled('o')),
    budget({ minAvailable: '50%' }),
    wait(1500),
    budgets,
    budgetEvents,
  ),
  scenario(
    'custom-owner-gone',
    ...define(),
    thing('o', { spec: { replicas: 4 } }, { name: 'o' }),
    ...set(controlled('o'), controlled('o')),
    drop('o', 'Orphan'),
    wait(500),
    budget({ maxUnavailable: 1 }),
    wait(1500),
    budgets,
    budgetEvents,
  ),
  scenario(
    'custom-owners-two',
    ...define(),
    thing('o', { spec: { replicas: 3 } }, { name: 'o' }),
    thing('q', { spec: { replicas: 2 } }, { name: 'q' }),
    ...set(controlled('o'), controlled('q')),
    budget({ minAvailable: '25%' }),
    wait(1500),
    budgets,
    budgetEvents,
  ),
];

const scaled = (spec: JsonObject): Step =>
  create('HorizontalPodAutoscaler', 'h', {
    spec: {
      scaleTargetRef: { apiVersion: `${group}/v1`, kind: 'Thing', name: 'o' },
      minReplicas: 2,
      maxReplicas: 5,
      ...spec,
    },
  });
const hpaEvents = events({ kinds: ['HorizontalPodAutoscaler'] });

export const customScalingScenarios: readonly Scenario[] = [
  scenario(
    'custom-target-below-minimum',
    ...define(),
    thing('o', { spec: { replicas: 1 } }),
    wait(4000),
    scaled({}),
    wait(18_000),
    view('after', 'HorizontalPodAutoscaler', things),
    hpaEvents,
  ),
  scenario(
    'custom-target-without-selector',
    ...define({
      subresources: {
        status: {},
        scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
      },
    }),
    thing('o', { spec: { replicas: 2 } }),
    wait(4000),
    scaled({}),
    wait(18_000),
    view('after', 'HorizontalPodAutoscaler', things),
    hpaEvents,
  ),
  scenario(
    'custom-target-with-odd-selector',
    ...define(),
    thing('o', { spec: { replicas: 2 } }, { name: 'o' }),
    { req: `PATCH ${things}/o/status`, body: { status: { replicas: 2, selector: 'a in b' } } },
    wait(4000),
    scaled({}),
    wait(18_000),
    view('after', 'HorizontalPodAutoscaler', things),
    hpaEvents,
  ),
  scenario(
    'custom-target-with-selector',
    ...define(),
    thing('o', { spec: { replicas: 3 } }, { name: 'o' }),
    { req: `PATCH ${things}/o/status`, body: { status: { replicas: 3, selector: 'app=r' } } },
    labelled('p0'),
    wait(4000),
    scaled({}),
    wait(18_000),
    view('after', 'HorizontalPodAutoscaler', things),
    hpaEvents,
  ),
];
