import { expect, test } from 'vitest';
import { changesBetween, tellingChanges, type ChangedObject } from './object-changes.ts';
import { toldBytes, toldObject, toldPatch } from './told-object.ts';

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

test('whatever is told of a Secret, its data is not', () => {
  const bytes = new TextEncoder().encode(JSON.stringify(secret));
  const patches = [
    [{ op: 'replace', path: '/data/password', value: password }],
    { data: { password } },
    bytes,
    new TextEncoder().encode(`data:\n  password: ${password}\n`),
  ];
  const told = [
    toldObject(secrets, secret),
    toldBytes(secrets, bytes),
    changesBetween(secrets, undefined, secret),
    changesBetween(secrets, { ...secret, data: { password: 'before' } }, secret),
    changesBetween(secrets, { ...secret, metadata: { name: 'login' } }, secret),
    ...patches.map((patch) => toldPatch(secrets, patch)),
  ];
  for (const one of told) expect(JSON.stringify(one)).not.toContain(password);
  expect(parsed(told[0])).toMatchObject({ metadata: { name: 'login' }, data: { password: '***' } });
});

test('tokens of reviews are not told', () => {
  const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', spec: { token: 'abc' } };
  const told = toldObject({ group: 'authentication.k8s.io', resource: 'tokenreviews' }, review);
  expect(parsed(told)).toMatchObject({
    spec: { token: '***' },
  });
  expect(review.spec.token).toBe('abc');
});

test('changes are told by path, and stay as they were', () => {
  const before = { spec: { replicas: 1, paused: true, containers: [{ image: 'a' }] } };
  const after = { spec: { replicas: 2, containers: [{ image: 'b' }, { image: 'c' }] } };
  const changes = changesBetween(deployments, before, after);
  after.spec.replicas = 3;
  expect(parsed(changes)).toEqual([
    { path: 'spec.replicas', before: 1, after: 2 },
    { path: 'spec.paused', before: true },
    { path: 'spec.containers[0].image', before: 'a', after: 'b' },
    { path: 'spec.containers[1]', after: { image: 'c' } },
  ]);
});

test('what several change is told of each, and nothing of who changes nothing', () => {
  const changed: ChangedObject = { object: { spec: { ports: [1, 2], name: 'a', absent: undefined } } };
  const told: unknown[] = [];
  const observer = { begin: () => undefined, note: (values: object) => void told.push(values) };
  const telling = (change: () => void) => tellingChanges(observer, deployments, changed, change);
  const object = changed.object as { spec: Record<string, unknown> };

  telling(() => undefined);
  telling(() => void (object.spec['ports'] = [1]));
  telling(
    () => void (changed.object = JSON.parse('{"spec":{"ports":[1],"name":{"__proto__":{"a":1},"b":2}}}')),
  );

  expect(told).toEqual([
    { diff: [{ path: 'spec.ports[1]', before: 2 }] },
    { diff: [{ path: 'spec.name', before: 'a', after: { b: 2 } }] },
  ]);
  expect({}).not.toHaveProperty('a');
});
