import { labelSelectorFromSpec } from '@coxswain/apimachinery';
import type { Node } from '@coxswain/api/core/v1/node.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
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

test('a pod with changed labels and the same requests counts by its new labels', () => {
  const cache = new SchedulerCache();
  cache.setNode(nodeWithImage('a'));
  const placed = (generation: number, app: string): Pod =>
    ({
      metadata: { name: 'p', namespace: 'default', uid: '1', generation, labels: { app } },
      spec: { nodeName: 'a', containers: [{ name: 'c', image: 'web:1' }] },
    }) as unknown as Pod;
  const count = (app: string) =>
    cache.node('a')?.countPods('default', labelSelectorFromSpec({ matchLabels: { app } }));

  cache.setPod(placed(1, 'old'));
  cache.setPod(placed(1, 'new'));

  expect([count('old'), count('new')]).toEqual([0, 1]);
});
