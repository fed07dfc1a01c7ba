import { describe, expect, test } from 'vitest';
import { createCluster } from '../../packages/coxswain/src/testing/index.ts';
import { brokenInvariants, orphans } from './invariants.ts';
import { chaosStory } from './story.ts';

/** `npm run chaos` runs as many more as one likes. */
const seeds = [1, 2, 3];

describe('on a day on which everything goes wrong', () => {
  test.each(seeds)(
    'the invariants hold, and the end is what was asked for: seed %i',
    async (seed) => {
      expect((await chaosStory(seed)).broken).toEqual([]);
    },
    60_000,
  );

  test('the same seed gives the same history, byte for byte', async () => {
    const first = await chaosStory(4);
    expect(await chaosStory(4)).toEqual(first);
  }, 60_000);
});

test('invariants that do not hold are told', async () => {
  const cluster = await createCluster({ controllers: false, nodes: 0 });
  const pod = (name: string, index: number) => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      annotations: { 'batch.kubernetes.io/job-completion-index': String(index) },
      ownerReferences: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'gone', uid: 'gone' }],
    },
    spec: { containers: [{ name: 'c', image: 'c' }] },
  });
  try {
    await cluster.apply([pod('a', 0), pod('b', 0)]);
    expect(await brokenInvariants(cluster)).toEqual(['indices run twice: 0 0']);
    expect(await orphans(cluster)).toEqual(['a', 'b']);
    await cluster.apply(Array.from({ length: 23 }, (_, index) => pod(`c-${index}`, index + 1)));
    expect(await brokenInvariants(cluster)).toContain('25 pods, and the quota is 24');
  } finally {
    await cluster.stop();
  }
});
