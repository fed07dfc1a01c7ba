/** What a deletion says it wants, in its query and in its body, of objects and of collections. */
import { ask, type DifferentialCase } from './case.ts';
import { customGroup, defined, widgets, withoutDefinition } from './definition.ts';
import type { Step } from '../../../packages/kube-apiserver/test/oracle/case.ts';

const core = '/api/v1/namespaces/$ns';
const uid = '7b1c2d3e-0000-4000-8000-00000000abcd';
const options = { apiVersion: 'v1', kind: 'DeleteOptions' };

const queries = [
  '',
  'propagationPolicy=Foreground',
  'propagationPolicy=Orphan',
  'propagationPolicy=x',
  'orphanDependents=true',
  'orphanDependents=true&propagationPolicy=Background',
  'gracePeriodSeconds=0',
  'gracePeriodSeconds=-1',
  'gracePeriodSeconds=x',
  'dryRun=All',
  'dryRun=x',
  'fieldValidation=Strict',
];

const bodies: readonly unknown[] = [
  {},
  options,
  { ...options, apiVersion: 'meta.k8s.io/v1' },
  { ...options, apiVersion: 'meta.k8s.io/v1beta1' },
  { ...options, apiVersion: 'apps/v1' },
  { ...options, apiVersion: 'batch/v1beta1' },
  { ...options, apiVersion: 'nosuch.io/v1' },
  { ...options, apiVersion: 'v9' },
  { ...options, apiVersion: 'a/b/c' },
  { ...options, kind: 'ConfigMap' },
  { ...options, kind: 'Nosuch' },
  { apiVersion: 'v1' },
  { kind: 'DeleteOptions' },
  { ...options, propagationPolicy: 'Foreground' },
  { ...options, propagationPolicy: 'Background', orphanDependents: false },
  { ...options, propagationPolicy: 'x' },
  { ...options, propagationPolicy: 1 },
  { ...options, orphanDependents: false },
  { ...options, orphanDependents: 'x' },
  { ...options, gracePeriodSeconds: 0 },
  { ...options, gracePeriodSeconds: -1 },
  { ...options, gracePeriodSeconds: 1.5 },
  { ...options, gracePeriodSeconds: '5' },
  { ...options, gracePeriodSeconds: 9007199254740991 },
  { ...options, dryRun: ['All'] },
  { ...options, dryRun: ['x'] },
  { ...options, dryRun: [] },
  { ...options, dryRun: ['All', 'All'] },
  { ...options, dryRun: 'All' },
  { ...options, preconditions: { uid } },
  { ...options, preconditions: { uid: '' } },
  { ...options, preconditions: { resourceVersion: '1' } },
  { ...options, preconditions: { resourceVersion: '' } },
  { ...options, preconditions: { resourceVersion: 'x' } },
  { ...options, preconditions: { uid, resourceVersion: '1' } },
  { ...options, preconditions: {} },
  { ...options, preconditions: null },
  { ...options, preconditions: { nosuch: 1 } },
  { ...options, preconditions: { uid: 1 } },
  { ...options, nosuch: 1 },
  { ...options, ignoreStoreReadErrorWithClusterBreakingPotential: true },
  { ...options, ignoreStoreReadErrorWithClusterBreakingPotential: false },
  [],
  null,
  'x',
  1,
  '{',
  '',
  ' ',
  'kind: DeleteOptions',
];

interface Target {
  readonly name: string;
  readonly collection: string;
  readonly body: object;
  readonly before?: readonly Step[];
  readonly cleanup?: readonly Step[];
}

const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
const targets: readonly Target[] = [
  { name: 'configmaps', collection: `${core}/configmaps`, body: { apiVersion: 'v1', kind: 'ConfigMap' } },
  { name: 'pods', collection: `${core}/pods`, body: { apiVersion: 'v1', kind: 'Pod', spec: template.spec } },
  {
    name: 'replicasets',
    collection: '/apis/apps/v1/namespaces/$ns/replicasets',
    body: {
      apiVersion: 'apps/v1',
      kind: 'ReplicaSet',
      spec: { selector: { matchLabels: { a: 'b' } }, template },
    },
  },
  {
    name: 'replicationcontrollers',
    collection: `${core}/replicationcontrollers`,
    body: { apiVersion: 'v1', kind: 'ReplicationController', spec: { selector: { a: 'b' }, template } },
  },
  {
    name: 'jobs',
    collection: '/apis/batch/v1/namespaces/$ns/jobs',
    body: {
      apiVersion: 'batch/v1',
      kind: 'Job',
      spec: { template: { spec: { ...template.spec, restartPolicy: 'Never' } } },
    },
  },
  {
    name: 'widgets',
    collection: widgets,
    body: { apiVersion: `${customGroup}/v1`, kind: 'Widget' },
    before: defined(),
    cleanup: [withoutDefinition],
  },
];

const dry = (query: string) =>
  /dryRun/.test(query) ? query : `${query}${query === '' ? '' : '&'}dryRun=All`;
const listed = {
  pick: [
    'kind',
    'apiVersion',
    'items.*.metadata.name',
    'items.*.metadata.finalizers',
    'status',
    'message',
    'reason',
    'details',
    'code',
  ],
};
const brief = { ignore: ['metadata.managedFields', 'spec'] };

/** Each asks an object of its own, since some really go. */
export const cases: readonly DifferentialCase[] = targets.map(
  ({ name, collection, body, before = [], cleanup = [] }): DifferentialCase => ({
    name,
    steps: [
      ...before,
      ask(
        `POST ${collection}`,
        { ...body, metadata: { name: 'o', finalizers: ['example.com/a'] } },
        { quiet: true },
      ),
      ...queries.map((query) => ask(`DELETE ${collection}/o?${dry(query)}`, undefined, brief)),
      ...bodies.flatMap((wanted) => [
        ask(`DELETE ${collection}/o?dryRun=All`, wanted, brief),
        ask(`DELETE ${collection}/nosuch`, wanted, brief),
        ask(`DELETE ${collection}?dryRun=All`, wanted, listed),
        ask(`DELETE ${collection}/o?dryRun=All&propagationPolicy=Orphan&gracePeriodSeconds=7`, wanted, brief),
      ]),
      ...[
        'application/yaml',
        'application/vnd.kubernetes.protobuf',
        'application/cbor',
        'text/plain',
        'application/merge-patch+json',
      ].flatMap((type) => [
        ask(`DELETE ${collection}/o?dryRun=All`, options, { type, ...brief }),
        ask(`DELETE ${collection}?dryRun=All`, options, { type, ...listed }),
        ask(`DELETE ${collection}/o?dryRun=All`, undefined, { type, ...brief }),
      ]),
      ...['a', 'Orphan', 'Foreground', 'Background'].flatMap((policy, at) => [
        ask(
          `POST ${collection}`,
          { ...body, metadata: { name: `r${at}`, finalizers: ['example.com/a'] } },
          { quiet: true },
        ),
        ask(`DELETE ${collection}/r${at}?propagationPolicy=${policy}&gracePeriodSeconds=5`, undefined, brief),
        ask(`GET ${collection}/r${at}`, undefined, brief),
        ask(
          `DELETE ${collection}/r${at}`,
          { ...options, propagationPolicy: 'Orphan', gracePeriodSeconds: 9 },
          brief,
        ),
        ask(
          `DELETE ${collection}/r${at}`,
          { ...options, propagationPolicy: 'Background', gracePeriodSeconds: 0 },
          brief,
        ),
        ask(`GET ${collection}/r${at}`, undefined, brief),
        ask(
          `PUT ${collection}/r${at}`,
          { ...body, metadata: { name: `r${at}`, finalizers: ['example.com/b'] } },
          brief,
        ),
        ask(`PUT ${collection}/r${at}`, { ...body, metadata: { name: `r${at}`, finalizers: [] } }, brief),
        ask(`GET ${collection}/r${at}`, undefined, brief),
      ]),
      ...[
        'labelSelector=nosuch',
        'labelSelector=a in (',
        'fieldSelector=metadata.name=o',
        'fieldSelector=metadata.name!=o',
        'fieldSelector=nosuch=o',
        'limit=1',
        'limit=-1',
        'limit=x',
        'continue=x',
        'resourceVersion=0',
        'resourceVersion=x',
        'resourceVersion=0&resourceVersionMatch=Exact',
        'resourceVersion=0&resourceVersionMatch=NotOlderThan',
        'resourceVersionMatch=Exact',
        'timeoutSeconds=1',
        'watch=true',
        'sendInitialEvents=true',
        'allowWatchBookmarks=true',
      ].flatMap((query) => [
        ask(`DELETE ${collection}?dryRun=All&${encodeURI(query)}`, undefined, listed),
        ask(`DELETE ${collection}?${encodeURI(query)}`, { ...options, dryRun: ['All'] }, listed),
      ]),
      ask(
        `DELETE ${collection}?gracePeriodSeconds=0`,
        { ...options, propagationPolicy: 'Background' },
        listed,
      ),
      ask(`GET ${collection}`, undefined, listed),
    ],
    cleanup,
  }),
);
