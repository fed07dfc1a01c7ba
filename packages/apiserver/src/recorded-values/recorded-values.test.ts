import { expect, test } from 'vitest';
import { recordedChanges } from './object-changes.ts';
import { recordedBytes, recordedObject, recordedPatch } from './recorded-object.ts';

const secrets = { group: '', resource: 'secrets' };
const deployments = { group: 'apps', resource: 'deployments' };
const password = 'correct horse';
const secret = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: {
    name: 'login',
    annotations: {
      'kubectl.kubernetes.io/last-applied-configuration': `{"data":{"password":"${password}"}}`,
    },
  },
  data: { password },
  stringData: { other: password },
};

const parsed = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

test('no event contains the data of a Secret', () => {
  const bytes = new TextEncoder().encode(JSON.stringify(secret));
  const patches = [
    [{ op: 'replace', path: '/data/password', value: password }],
    { data: { password } },
    bytes,
    new TextEncoder().encode(`data:\n  password: ${password}\n`),
  ];
  const reported = [
    recordedObject(secrets, secret),
    recordedBytes(secrets, bytes),
    recordedChanges(secrets, undefined, secret),
    recordedChanges(secrets, { ...secret, data: { password: 'before' } }, secret),
    recordedChanges(secrets, { ...secret, metadata: { name: 'login' } }, secret),
    ...patches.map((patch) => recordedPatch(secrets, patch)),
  ];
  for (const one of reported) expect(JSON.stringify(one)).not.toContain(password);
  expect(parsed(reported[0])).toMatchObject({ metadata: { name: 'login' }, data: { password: '***' } });
});

test('no event contains the tokens of reviews', () => {
  const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', spec: { token: 'abc' } };
  const reported = recordedObject({ group: 'authentication.k8s.io', resource: 'tokenreviews' }, review);
  expect(parsed(reported)).toMatchObject({
    spec: { token: '***' },
  });
  expect(review.spec.token).toBe('abc');
});

test('elements of a list are told apart by name or type, whatever their place', () => {
  const ready = (status: string) => ({ type: 'Ready', status });
  const before = { conditions: [ready('False')], containers: [{ name: 'a', image: 'x' }, { name: 'b' }] };
  const after = {
    conditions: [{ type: 'Started', status: 'True' }, ready('True')],
    containers: [{ name: 'b' }, { name: 'a', image: 'x' }],
  };
  expect(parsed(recordedChanges(deployments, before, after))).toEqual([
    { path: 'conditions[Ready].status', before: 'False', after: 'True' },
    { path: 'conditions[Started]', after: { type: 'Started', status: 'True' } },
    { path: 'containers[0].name', before: 'a', after: 'b' },
    { path: 'containers[0].image', before: 'x' },
    { path: 'containers[1].name', before: 'b', after: 'a' },
    { path: 'containers[1].image', after: 'x' },
  ]);
});

test('changes are reported by path, as they were at that moment', () => {
  const before = { spec: { replicas: 1, paused: true, containers: [{ image: 'a' }] } };
  const after = { spec: { replicas: 2, containers: [{ image: 'b' }, { image: 'c' }] } };
  const changes = recordedChanges(deployments, before, after);
  after.spec.replicas = 3;
  expect(parsed(changes)).toEqual([
    { path: 'spec.replicas', before: 1, after: 2 },
    { path: 'spec.paused', before: true },
    { path: 'spec.containers[0].image', before: 'a', after: 'b' },
    { path: 'spec.containers[1]', after: { image: 'c' } },
  ]);
});
