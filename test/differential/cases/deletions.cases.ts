/** Objects with finalizers that are deleted, deleted again, changed meanwhile and let go, by every policy and precondition. */
import { applyPatch, ask, jsonPatch, mergePatch, type DifferentialCase } from './case.ts';
import type { Step } from '../../../packages/kube-apiserver/test/oracle/case.ts';

type Json = Readonly<Record<string, unknown>>;

const core = '/api/v1/namespaces/$ns';
const apps = '/apis/apps/v1/namespaces/$ns';
const labels = { a: 'b' };
const podSpec = { containers: [{ name: 'c', image: 'i' }] };
const pick = [
  'kind',
  'message',
  'reason',
  'code',
  'details.kind',
  'status',
  'metadata.finalizers',
  'metadata.deletionGracePeriodSeconds',
  'metadata.deletionTimestamp',
  'metadata.generation',
  'metadata.labels',
];

interface Target {
  readonly one: string;
  readonly collection: string;
  readonly body: Json;
}

const target = (collection: string, content: Json = {}): Target => ({
  collection,
  one: `${collection}/o`,
  body: { metadata: { name: 'o', labels }, ...content },
});
const targets: Readonly<Record<string, Target>> = {
  configmaps: target(`${core}/configmaps`),
  pods: target(`${core}/pods`, { spec: podSpec }),
  'bound pods': target(`${core}/pods`, {
    spec: { ...podSpec, nodeName: 'n', terminationGracePeriodSeconds: 7 },
  }),
  deployments: target(`${apps}/deployments`, {
    spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: podSpec } },
  }),
  services: target(`${core}/services`, { spec: { clusterIP: 'None', ports: [{ port: 80 }] } }),
  persistentvolumeclaims: target(`${core}/persistentvolumeclaims`, {
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1' } } },
  }),
  jobs: target('/apis/batch/v1/namespaces/$ns/jobs', {
    spec: { template: { spec: { ...podSpec, restartPolicy: 'Never' } } },
  }),
};

const finalizers: readonly (readonly string[])[] = [
  [],
  ['example.com/a'],
  ['foregroundDeletion'],
  ['orphan'],
  ['orphan', 'example.com/a'],
  ['foregroundDeletion', 'orphan'],
];
const options: readonly (Json | undefined)[] = [
  undefined,
  { propagationPolicy: 'Foreground' },
  { propagationPolicy: 'Orphan' },
  { propagationPolicy: 'Background' },
  { orphanDependents: true },
  { orphanDependents: false },
  { gracePeriodSeconds: 0 },
  { gracePeriodSeconds: 3, propagationPolicy: 'Foreground' },
];

const gone = ({ one }: Target): Step[] => [
  ask(`PATCH ${one}`, { metadata: { finalizers: null } }, { ...mergePatch, pick }),
  ask(`DELETE ${one}?gracePeriodSeconds=0`, undefined, { pick }),
];

function* life(of: Target, held: readonly string[], option: Json | undefined): Generator<Step> {
  const { one, collection, body } = of;
  const metadata = { ...(body['metadata'] as Json), finalizers: held };
  yield ask(`POST ${collection}`, { ...body, metadata }, { pick });
  yield ask(`DELETE ${one}?dryRun=All`, option, { pick });
  yield ask(`DELETE ${one}`, option, { pick });
  yield ask(`GET ${one}`, undefined, { pick });
  yield ask(`DELETE ${one}`, { propagationPolicy: 'Orphan', gracePeriodSeconds: 1 }, { pick });
  yield ask(`PATCH ${one}`, { metadata: { finalizers: ['example.com/new'] } }, { ...mergePatch, pick });
  yield ask(`PATCH ${one}`, { metadata: { labels: { c: 'd' } } }, { ...mergePatch, pick });
  yield ask(`PATCH ${one}`, { metadata: { deletionTimestamp: null } }, { ...mergePatch, pick });
  yield ask(`PATCH ${one}`, [{ op: 'remove', path: '/metadata/finalizers/0' }], { ...jsonPatch, pick });
  yield ask(`DELETE ${one}`, { propagationPolicy: 'Background' }, { pick });
  yield ask(`POST ${collection}`, body, { pick });
  yield* gone(of);
}

const conditions: readonly Json[] = [
  { uid: '$made.metadata.uid' },
  { resourceVersion: '$made.metadata.resourceVersion' },
  { uid: '$made.metadata.uid', resourceVersion: '1' },
  { uid: '7b1c2d3e-0000-4000-8000-00000000abcd', resourceVersion: '$made.metadata.resourceVersion' },
  { uid: '' },
  { resourceVersion: '' },
  {},
];

const conditional = (of: Target): Step[] => [
  { ...ask(`POST ${of.collection}`, of.body, { quiet: true }), name: 'made' },
  ...conditions.flatMap((preconditions) => [
    ask(`DELETE ${of.one}?dryRun=All`, { preconditions }, { ignore: ['**.uid'], pick }),
    ask(`DELETE ${of.one}?dryRun=All`, { preconditions, propagationPolicy: 'Foreground' }, { pick }),
    ask(`DELETE ${of.collection}?dryRun=All`, { preconditions }, { pick: ['kind', 'message', 'code'] }),
  ]),
  ask(`PATCH ${of.one}`, { metadata: { labels: { e: 'f' } } }, { ...mergePatch, quiet: true }),
  ask(`DELETE ${of.one}`, { preconditions: conditions[1] }, { pick }),
  ask(
    `PATCH ${of.one}?fieldManager=m`,
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'o', finalizers: ['example.com/x'] } },
    { ...applyPatch, pick },
  ),
  ask(`DELETE ${of.one}`, { preconditions: conditions[0] }, { pick }),
  ...gone(of),
];

export const cases: readonly DifferentialCase[] = Object.entries(targets).flatMap(([name, of]) => [
  { name: `${name} on conditions`, steps: conditional(of) },
  ...finalizers.map((held) => ({
    name: `${name} held by ${held.join(' and ') || 'nothing'}`,
    steps: options.flatMap((option) => [...life(of, held, option)]),
  })),
]);
