import { expect, test } from 'vitest';
import { rangeSetsOf } from './node-ipam-controller.ts';

const sets = (clusterRanges: string[], serviceRanges: string[] = []) =>
  rangeSetsOf({ clusterRanges, serviceRanges, maskSizeIpv4: 24, maskSizeIpv6: 64 });

test('ranges are handed out one after the other, until none is left', () => {
  const [set] = sets(['10.244.0.0/23']);

  expect([set!.take(), set!.take()]).toEqual(['10.244.0.0/24', '10.244.1.0/24']);
  expect(() => set!.take()).toThrow('no remaining CIDRs left');
  set!.release('10.244.0.0/24');
  expect(set!.take()).toBe('10.244.0.0/24');
});

test('occupied ranges, and those of services, are not assigned', () => {
  const [set] = sets(['10.244.0.0/22'], ['10.244.0.0/24']);
  set!.occupy('10.244.1.0/24');

  expect(set!.take()).toBe('10.244.2.0/24');
});

test('each family has its own size', () => {
  expect(sets(['10.244.0.0/16', 'fd00::/56']).map((set) => set.take())).toEqual([
    '10.244.0.0/24',
    'fd00::/64',
  ]);
});

test('a range of elsewhere is refused, and two ranges must be of two families', () => {
  expect(() => sets(['10.244.0.0/16'])[0]!.occupy('10.0.0.0/24')).toThrow('is out the range of cluster cidr');
  expect(() => sets(['10.0.0.0/16', '10.1.0.0/16'])).toThrow('not configured as dual stack');
});
