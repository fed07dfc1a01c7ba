import fc from 'fast-check';
import { expect, test } from 'vitest';
import { node, pod } from '../../test/memory-cluster.ts';
import { podInfo } from './pod-info.ts';
import { SchedulerCache } from './scheduler-cache.ts';
import type { NodeInfo } from './node-info.ts';
import type { NodeSum } from './running-sums.ts';

/** Counts pods by zone. */
function podsByZone(looked: NodeInfo[] = []): NodeSum<Map<string, number>, { zone: string; pods: number }> {
  const sum = new Map<string, number>();
  return {
    sum,
    partOf(info) {
      looked.push(info);
      return { zone: info.labels['zone'] ?? '', pods: info.pods.size };
    },
    add: ({ zone, pods }, by) => void sum.set(zone, (sum.get(zone) ?? 0) + by * pods),
  };
}

const change = fc.record({
  node: fc.integer({ min: 0, max: 4 }),
  pod: fc.integer({ min: 0, max: 9 }),
  what: fc.constantFrom('label', 'remove node', 'assume', 'forget', 'place', 'remove pod', 'ask'),
});

test('an incrementally updated sum equals a new sum over all nodes, whatever changed', () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 60 }), (changes) => {
      const cache = new SchedulerCache();
      const onNode = (uid: string, nodeName: string) =>
        pod(uid, { metadata: { uid, namespace: 'default' }, spec: { nodeName } });
      const summed = (key: string) =>
        cache.sums.get(
          key,
          () => podsByZone(),
          () => cache.nodes,
        );
      const without0 = (sum: Map<string, number>) => [...sum].filter(([, pods]) => pods !== 0).sort();
      changes.forEach((made, index) => {
        const name = `n${made.node}`;
        const uid = `p${made.pod}`;
        if (made.what === 'label') cache.setNode(node(name, { labels: { zone: `z${made.pod % 3}` } }));
        else if (made.what === 'remove node') cache.removeNode(name);
        else if (made.what === 'assume') {
          if (cache.placed(uid) === undefined) cache.assume(podInfo(onNode(uid, '')), name);
        } else if (made.what === 'forget') cache.forget(uid);
        else if (made.what === 'place') cache.setPod(onNode(uid, name));
        else if (made.what === 'remove pod') cache.removePod(uid);
        else expect(without0(summed('kept'))).toEqual(without0(summed(`new ${index}`)));
      });
    }),
  );
});

test('between two pods only the nodes that changed are looked at', () => {
  const cache = new SchedulerCache();
  for (const name of ['a', 'b', 'c']) cache.setNode(node(name));
  const looked: NodeInfo[] = [];
  const ask = () =>
    cache.sums.get(
      'pods',
      () => podsByZone(looked),
      () => cache.nodes,
    );
  ask();
  looked.length = 0;
  cache.assume(podInfo(pod('p', { metadata: { uid: 'p' } })), 'b');
  ask();
  ask();

  expect(looked.map(({ name }) => name)).toEqual(['b']);
});
