/** Strategic patches that order lists: what is ordered may be null, absent, no list, or full of directives. */
import { ask, strategicPatch, type DifferentialCase } from './case.ts';

const pick = [
  'message',
  'reason',
  'code',
  'metadata.ownerReferences.*.uid',
  'metadata.finalizers',
  'ports',
  'endpoints',
];
const owner = (uid: string, more: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  name: uid,
  uid,
  ...more,
});

const directives: readonly object[] = [
  {},
  { $patch: 'unknown' },
  { $patch: 'merge' },
  { $patch: 'replace' },
  { $patch: 'delete' },
  { $patch: null },
];
const orders: readonly unknown[] = [
  null,
  'x',
  [],
  [{ uid: 'a' }],
  [{ uid: 'b' }, { uid: 'a' }],
  [{ uid: 'a' }, { uid: 'b' }],
  [{ uid: 'a' }, { uid: 'b' }, { uid: 'c' }],
  [{}],
  ['a'],
];
const patched: readonly unknown[] = [
  undefined,
  null,
  'x',
  [],
  ['a'],
  ...directives.flatMap((directive) => [
    [owner('a', directive)],
    [owner('a'), owner('b', directive)],
    [owner('b', directive), owner('a')],
  ]),
];

const configMap = '/api/v1/namespaces/$ns/configmaps/c';
const slice = '/apis/discovery.k8s.io/v1/namespaces/$ns/endpointslices/s';
const ports: readonly unknown[] = [undefined, null, [], [{ port: 80 }], [{ port: 81 }, { port: 80 }]];

const owned = (name: string, ownerReferences: readonly object[]): DifferentialCase => ({
  name,
  steps: [
    ask(
      'POST /api/v1/namespaces/$ns/configmaps',
      { metadata: { name: 'c', ownerReferences } },
      { quiet: true },
    ),
    ...patched.flatMap((list) =>
      orders.map((order) =>
        ask(
          `PATCH ${configMap}?dryRun=All`,
          {
            metadata: {
              ...(list !== undefined && { ownerReferences: list }),
              '$setElementOrder/ownerReferences': order,
            },
          },
          { ...strategicPatch, pick },
        ),
      ),
    ),
  ],
});

/** Ordering a list of maps without a merge key ends the connection of the original, so these have no elements. */
const sliced = (name: string, lists: object): DifferentialCase => ({
  name,
  steps: [
    ask(
      'POST /apis/discovery.k8s.io/v1/namespaces/$ns/endpointslices',
      { metadata: { name: 's' }, addressType: 'IPv4', ...lists },
      { pick },
    ),
    ...ports.flatMap((list) =>
      ports.map((order) =>
        ask(
          `PATCH ${slice}?dryRun=All`,
          { ...(list !== undefined && { ports: list }), '$setElementOrder/ports': order },
          { ...strategicPatch, pick },
        ),
      ),
    ),
    ask(
      `PATCH ${slice}?dryRun=All`,
      { endpoints: [], '$setElementOrder/endpoints': [] },
      { ...strategicPatch, pick },
    ),
    ask(`PATCH ${slice}?dryRun=All`, { ports: [{ $patch: 'replace' }] }, { ...strategicPatch, pick }),
    ask(`PATCH ${slice}?dryRun=All`, { '$deleteFromPrimitiveList/ports': [1] }, { ...strategicPatch, pick }),
  ],
});

export const cases: readonly DifferentialCase[] = [
  owned('none', []),
  owned('one', [owner('a')]),
  owned('three', [owner('a'), owner('b'), owner('c')]),
  sliced('nulls', { endpoints: null, ports: null }),
  sliced('empty', { endpoints: [], ports: [] }),
];
