import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { expect, test } from 'vitest';
import { noRoomToMake, preemptionFor } from './preemption.ts';

const pod = (name: string, resources: object, spec: object = {}): Pod =>
  ({ metadata: { name }, spec: { containers: [{ name: 'c', resources }], ...spec } }) as unknown as Pod;
const burstable = (name: string, cpu: string, spec?: object) => pod(name, { requests: { cpu } }, spec);
const guaranteed = (name: string, cpu: string) => {
  const all = { cpu, memory: '1Gi' };
  return pod(name, { requests: all, limits: all });
};
const critical = pod('critical', {}, { priority: 2_000_001_000 });
const short = (amount: number, resource = 'cpu') => ({
  resource,
  amount,
  reason: `OutOf${resource}`,
  message: '',
});
const victims = (pods: readonly Pod[], ...shortages: ReturnType<typeof short>[]) =>
  preemptionFor(critical, pods, shortages).pods.map(({ metadata }) => metadata?.name);

test.each([
  ['one that is enough', [burstable('small', '200m'), burstable('large', '900m')], 700, ['large']],
  [
    'of two that are enough the smaller',
    [burstable('large', '900m'), burstable('fit', '700m')],
    700,
    ['fit'],
  ],
  ['several where none is enough', [burstable('a', '300m'), burstable('b', '400m')], 600, ['b', 'a']],
  ['those without a whole guarantee first', [guaranteed('g', '1'), burstable('b', '1')], 500, ['b']],
  ['guaranteed ones where it must', [guaranteed('g', '1'), burstable('b', '100m')], 1000, ['g']],
])('a critical pod without room ends %s', (_, pods, amount, names) => {
  expect(victims(pods, short(amount))).toEqual(names);
});

test('a place on a node is a resource like the others, and one that asks for nothing has one to give', () => {
  expect(victims([burstable('b', '1'), pod('idle', {})], short(1, 'pods'))).toEqual(['idle']);
});

test('pods of the same priority are kept, and none is ended in vain', () => {
  const other = burstable('other', '1', { priority: 2_000_001_000 });
  const { pods, missing } = preemptionFor(critical, [other, burstable('b', '100m')], [short(500)]);
  expect(pods).toEqual([]);
  expect(noRoomToMake(missing)).toEqual({
    reason: 'UnexpectedAdmissionError',
    message:
      'Unexpected error while attempting to recover from admission failure: preemption: error finding a set of pods to preempt: no set of running pods found to reclaim resources: [(res: cpu, q: 400), ]',
  });
});
