/** Requests for tokens: every field at values good and bad, bound to objects that are there, gone and of other kinds. */
import { ask, type DifferentialCase } from './case.ts';
import type { Step } from '../../../packages/kube-apiserver/test/oracle/case.ts';

const core = '/api/v1/namespaces/$ns';
const token = `${core}/serviceaccounts/s/token`;
const uid = '7b1c2d3e-0000-4000-8000-00000000abcd';
const brief = {
  ignore: [
    'status.token',
    'status.expirationTimestamp',
    'metadata.creationTimestamp',
    'metadata.managedFields',
  ],
};
const container = { name: 'c', image: 'i' };

const specs: readonly unknown[] = [
  undefined,
  {},
  null,
  [],
  ...[0, 1, -1, 599, 600, 3600, 86400, 2 ** 31, 2 ** 32, 2 ** 32 + 1, 2 ** 62, 1.5, '600', null].map(
    (expirationSeconds) => ({ expirationSeconds }),
  ),
  ...[[], [''], ['a', 'a'], ['https://kubernetes.default.svc'], ['a', ''], [' '], 'a', null, [1]].map(
    (audiences) => ({ audiences }),
  ),
  ...[
    {},
    null,
    { kind: 'Pod' },
    { kind: 'Pod', name: 'p' },
    { kind: 'Pod', apiVersion: 'v1', name: 'p' },
    { kind: 'Pod', apiVersion: 'v2', name: 'p' },
    { kind: 'Pod', apiVersion: 'apps/v1', name: 'p' },
    { kind: 'Pod', apiVersion: 'v1', name: 'p', uid },
    { kind: 'Pod', apiVersion: 'v1', name: 'other' },
    { kind: 'Pod', apiVersion: 'v1', name: 'nosuch' },
    { kind: 'pod', apiVersion: 'v1', name: 'p' },
    { kind: 'Secret', apiVersion: 'v1', name: 'x' },
    { kind: 'Secret', apiVersion: 'v1', name: 'x', uid },
    { kind: 'Secret', apiVersion: 'v1', name: 'nosuch' },
    { kind: 'Node', apiVersion: 'v1', name: '$id' },
    { kind: 'Node', apiVersion: 'v1', name: '$id', uid },
    { kind: 'Node', apiVersion: 'v1', name: 'nosuch' },
    { kind: 'Node', apiVersion: 'v1', name: 'nosuch', uid },
    { kind: 'ConfigMap', apiVersion: 'v1', name: 'x' },
    { kind: 'Secret', apiVersion: '', name: 'x' },
    { kind: '', apiVersion: 'v1', name: 'x' },
    { kind: 'Pod', apiVersion: 'a/b/c', name: 'p' },
    { kind: 'Pod', apiVersion: 'v1', uid },
    { name: 'p' },
    { uid },
  ].map((boundObjectRef) => ({ boundObjectRef })),
  { audiences: ['a'], expirationSeconds: 1, boundObjectRef: { kind: 'X', apiVersion: 'v1', name: 'x' } },
];

const metadatas: readonly unknown[] = [
  { name: 's' },
  { name: 'other' },
  { name: 's', namespace: 'other' },
  { namespace: 'other' },
  { name: 's', uid },
  { name: 's', resourceVersion: '1' },
  { generateName: 'x-' },
  { labels: { a: 'b' }, annotations: { a: 'b' } },
  { labels: { 'a b': 'c' } },
  { finalizers: ['x'] },
];

const made: readonly Step[] = [
  ask(`POST ${core}/serviceaccounts`, { metadata: { name: 's' } }, { quiet: true }),
  ask(`POST ${core}/secrets`, { metadata: { name: 'x' } }, { quiet: true }),
  ask('POST /api/v1/nodes', { metadata: { name: '$id' } }, { quiet: true }),
  ask(
    `POST ${core}/pods`,
    { metadata: { name: 'p' }, spec: { containers: [container], serviceAccountName: 's' } },
    { quiet: true },
  ),
  ask(
    `POST ${core}/pods`,
    { metadata: { name: 'other' }, spec: { containers: [container] } },
    { quiet: true },
  ),
];

export const cases: readonly DifferentialCase[] = [
  '',
  '?dryRun=All',
  '?dryRun=All&fieldValidation=Strict',
].map((query) => ({
  name: `with-${query || 'nothing'}`,
  steps: [
    ...made,
    ...specs.map((spec) => ask(`POST ${token}${query}`, { ...(spec !== undefined && { spec }) }, brief)),
    ...metadatas.map((metadata) => ask(`POST ${token}${query}`, { metadata, spec: {} }, brief)),
    ask(
      `POST ${token}${query}`,
      { metadata: {}, spec: { nothing: 1 }, status: { token: 'x', nothing: 1 } },
      brief,
    ),
    ask(`POST ${token}${query}`, { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest' }, brief),
    ask(
      `POST ${token}${query}`,
      { apiVersion: 'authentication.k8s.io/v1beta1', kind: 'TokenRequest' },
      brief,
    ),
    ask(`POST ${core}/serviceaccounts/nosuch/token${query}`, { spec: {} }, brief),
    ask(`POST ${core}/serviceaccounts/nosuch/token${query}`, { spec: { expirationSeconds: 1 } }, brief),
  ],
  cleanup: [ask('DELETE /api/v1/nodes/$id')],
}));
