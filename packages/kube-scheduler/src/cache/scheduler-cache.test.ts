import type { Node } from '@coxswain/api/core/v1/node.ts';
import { expect, test } from 'vitest';
import { SchedulerCache } from './scheduler-cache.ts';

const nodeWithImage = (name: string, sizeBytes?: number): Node =>
  ({
    metadata: { name },
    status: { images: sizeBytes === undefined ? [] : [{ names: ['web:1'], sizeBytes }] },
  }) as unknown as Node;

test('an image counts by its size on the first node that had it, as long as some node has it', () => {
  const cache = new SchedulerCache();
  const size = () => cache.node('b')?.imageSizes.get('web:1');
  cache.setNode(nodeWithImage('a', 10));
  cache.setNode(nodeWithImage('b', 20));
  expect([cache.imageNodeCount('web:1'), size()]).toEqual([2, 10]);

  cache.setNode(nodeWithImage('a'));
  expect([cache.imageNodeCount('web:1'), size()]).toEqual([1, 10]);

  cache.setNode(nodeWithImage('b'));
  cache.setNode(nodeWithImage('b', 20));
  expect([cache.imageNodeCount('web:1'), size()]).toEqual([1, 20]);
});
