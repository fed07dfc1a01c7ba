import { expect, test } from 'vitest';
import type { Container } from '@coxswain/api/core/v1/container.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { behaviourOf } from './behaviour.ts';

const endOf = (restartPolicy: 'Never' | 'Always', container: Partial<Container>) => {
  const c: Container = { name: 'c', resources: {}, ...container };
  return behaviourOf({ metadata: { name: 'p' }, spec: { restartPolicy, containers: [c] } } as Pod, c).end;
};

test.each(['busybox', 'alpine:3.22', 'registry.example/images/busybox:1.37.0-1', 'ubuntu@sha256:0123'])(
  'the shell of %s has nothing to read, and ends, once',
  (image) => expect(endOf('Never', { image })).toEqual({ afterMs: 0, exitCode: 0 }),
);

test.each<[string, 'Never' | 'Always', Partial<Container>]>([
  ['that is talked to', 'Never', { image: 'busybox', stdin: true }],
  ['of an image that would be started for ever', 'Always', { image: 'busybox' }],
  ['with a command', 'Never', { image: 'busybox', command: ['serve'] }],
  ['of another image', 'Never', { image: 'nginx' }],
])('a container %s stays', (_which, restartPolicy, container) => {
  expect(endOf(restartPolicy, container)).toBeUndefined();
});

test.each<[string, Partial<Container>, boolean]>([
  ['an unknown program', { image: 'migrate', command: ['migrate'] }, true],
  ['an unknown image', { image: 'migrate' }, true],
  ['a known server', { image: 'nginx' }, false],
])('%s in a Job ends: %j', (_which, container, isEnded) => {
  const c: Container = { name: 'c', resources: {}, ...container };
  const ownerReferences = [{ apiVersion: 'batch/v1', kind: 'Job', name: 'j', uid: 'u', controller: true }];
  const pod = { metadata: { name: 'p', ownerReferences }, spec: { containers: [c] } } as unknown as Pod;
  const { end } = behaviourOf(pod, c);
  expect(end?.exitCode === 0).toBe(isEnded);
});

test.each<[string, readonly string[], object, boolean]>([
  ['stress', ['--vm', '1', '--vm-bytes', '250M'], {}, true],
  ['stress', ['--vm', '1', '--vm-bytes', '90M'], {}, false],
  ['sleep', ['60'], { 'sim.coxswain.io/usage': 'memory=1Gi' }, true],
])('%s %j with %j beyond 100Mi is killed: %j', (program, args, annotations, isKilled) => {
  const resources = { limits: { memory: '100Mi' } };
  const c = { name: 'c', image: 'stress', command: [program], args, resources };
  const pod = { metadata: { name: 'p', annotations }, spec: { containers: [c] } } as unknown as Pod;
  expect(behaviourOf(pod, c as unknown as Container).end?.reason === 'OOMKilled').toBe(isKilled);
});
