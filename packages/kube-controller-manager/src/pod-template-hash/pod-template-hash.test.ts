import type { PodTemplateSpec } from '@coxswain/api/core/v1/pod-template-spec.ts';
import { expect, test } from 'vitest';
import recorded from './hashes.json' with { type: 'json' };
import { fnv1, podTemplateHash, safeEncode } from './pod-template-hash.ts';

/** Computed by upstream's code for these templates. */
const cases = recorded as unknown as {
  template: PodTemplateSpec;
  hash: string;
  hashAfterCollision: string;
}[];

test.each(cases)('a template hashes as upstream: $hash', ({ template, hash, hashAfterCollision }) => {
  expect(podTemplateHash(template)).toBe(hash);
  expect(podTemplateHash(template, 1)).toBe(hashAfterCollision);
});

/** The hash in the name of a ReplicaSet by upstream 1.36.3 with this memory limit. */
test.each([
  ['0', 'db4dfdd6f'],
  ['1', '75c6d5cc65'],
  ['01', '69594bc9bf'],
  ['1500', '865c94b6f'],
  ['1k', '55789597b5'],
  ['400m', '6b4ccc5c74'],
  ['100Mi', '6f8b645d99'],
  ['64Mi', '6b877b7b47'],
  ['256Mi', '56988c7988'],
  ['1536Mi', 'cc7c9dc9b'],
  ['1Gi', 'd67f5899c'],
  ['1Ti', '8cf56984'],
  ['1Ei', 'c64d5f6c7'],
  ['1E', '7dd68966fc'],
  ['1e3', 'c86c985f9'],
  ['1E3', 'dc674f487'],
  ['2E-3', '676b86fc95'],
  ['9223372036854775807', '7f8ff4645f'],
  ['12345678901234567890', 'fc4f74579'],
])('a quantity counts as Go holds it: %s', (memory, hash) => {
  const template = {
    metadata: { labels: { a: 'b' } },
    spec: {
      containers: [
        {
          image: 'i',
          imagePullPolicy: 'Always',
          name: 'c',
          resources: { limits: { memory } },
          terminationMessagePath: '/dev/termination-log',
          terminationMessagePolicy: 'File',
        },
      ],
      dnsPolicy: 'ClusterFirst',
      restartPolicy: 'Always',
      schedulerName: 'default-scheduler',
      securityContext: {},
      terminationGracePeriodSeconds: 30,
    },
  };
  expect(podTemplateHash(template as PodTemplateSpec)).toBe(hash);
});

test('FNV-1 of nothing is its offset, and of a text what its authors publish', () => {
  expect(fnv1(new Uint8Array())).toBe(0x811c9dc5);
  expect(fnv1(new TextEncoder().encode('foobar'))).toBe(0x31f0b262);
});

test('names get only safe characters', () => {
  expect(safeEncode('0123456789')).toMatch(/^[bcdfghjklmnpqrstvwxz2456789]{10}$/);
});
