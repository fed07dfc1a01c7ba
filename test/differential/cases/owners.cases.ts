/** Owner references with versions, kinds and flags of every sort, in every write. */
import { applyPatch, ask, mergePatch, type DifferentialCase } from './case.ts';

const configMaps = '/api/v1/namespaces/$ns/configmaps';
const whole = { apiVersion: 'v1', kind: 'Pod', name: 'p', uid: 'u' };

const owners: Readonly<Record<string, unknown>> = {
  noVersion: { ...whole, apiVersion: undefined },
  emptyVersion: { ...whole, apiVersion: '' },
  slash: { ...whole, apiVersion: '/' },
  leadingSlash: { ...whole, apiVersion: '/v1' },
  trailingSlash: { ...whole, apiVersion: 'apps/' },
  slashes: { ...whole, apiVersion: 'a/b/c' },
  manySlashes: { ...whole, apiVersion: '///' },
  odd: { ...whole, apiVersion: 'No Such/V 1' },
  event: { ...whole, kind: 'Event' },
  eventBySlash: { ...whole, apiVersion: '/v1', kind: 'Event' },
  eventOfGroup: { ...whole, apiVersion: 'events.k8s.io/v1', kind: 'Event' },
  noKind: { ...whole, kind: '' },
  noName: { ...whole, name: '' },
  noUid: { ...whole, uid: '' },
  nothing: {},
  allWrong: { apiVersion: 'a/b/c', kind: '', name: '', uid: '' },
  nullName: { ...whole, name: null },
  numberName: { ...whole, name: 5 },
  unknownField: { ...whole, nosuch: 1 },
  controller: { ...whole, controller: true },
  controllerText: { ...whole, controller: 'true' },
  blocks: { ...whole, blockOwnerDeletion: true, controller: false },
  oddNames: { ...whole, name: 'A/B C', uid: 'x y', kind: 'lower-case' },
};
const lists: Readonly<Record<string, unknown>> = {
  none: [],
  null: null,
  object: {},
  nullItem: [null],
  textItem: ['x'],
  twice: [whole, whole],
  sameUid: [whole, { ...whole, name: 'q' }],
  twiceAndFlags: [whole, { ...whole, controller: true }],
  controllers: [
    { ...whole, controller: true },
    { ...whole, uid: 'v', controller: true },
  ],
  threeControllers: ['u', 'v', 'w'].map((uid) => ({ ...whole, uid, controller: true })),
  severalWrong: [
    { ...whole, apiVersion: '' },
    { ...whole, kind: '', uid: 'v' },
    { ...whole, kind: 'Event', uid: 'w' },
  ],
  threeTimes: [whole, { ...whole, uid: 'v' }, whole, { ...whole, uid: 'v' }, whole],
};

const caseOf = ([name, ownerReferences]: readonly [string, unknown]): DifferentialCase => {
  const body = (object: string) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: object, ownerReferences },
  });
  return {
    name,
    steps: [
      ask(`POST ${configMaps}`, { metadata: { name: 'one' } }),
      ask(`POST ${configMaps}?dryRun=All`, body('two')),
      ask(`POST ${configMaps}?dryRun=All&fieldValidation=Strict`, body('two')),
      ask(`PUT ${configMaps}/one?dryRun=All`, body('one')),
      ask(`PATCH ${configMaps}/one?dryRun=All&fieldManager=a`, body('one'), applyPatch),
      ask(`PATCH ${configMaps}/two?dryRun=All&fieldManager=a`, body('two'), applyPatch),
      ask(`PATCH ${configMaps}/one?dryRun=All`, { metadata: { ownerReferences } }, mergePatch),
      ask(
        `PATCH ${configMaps}/one?dryRun=All`,
        { metadata: { ownerReferences } },
        { type: 'application/strategic-merge-patch+json' },
      ),
    ],
  };
};

export const cases: readonly DifferentialCase[] = [
  ...Object.entries(owners).map(([name, owner]) => caseOf([name, [owner]])),
  ...Object.entries(lists).map(([name, list]) => caseOf([`list-${name}`, list])),
];
