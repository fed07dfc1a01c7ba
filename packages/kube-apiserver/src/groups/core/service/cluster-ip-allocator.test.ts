import { alreadyExists, seededRandom } from '@coxswain/apimachinery';
import { beforeEach, expect, test } from 'vitest';
import { ClusterIpAllocator } from './cluster-ip-allocator.ts';
import type { IpAllocator } from './ip-allocator.ts';
import { ipRangeOf } from './ip-range.ts';
import type { ServiceRange } from './service-ranges.ts';

const service = { namespace: 'default', name: 'web' };

let taken: Set<string>;
let ranges: ServiceRange[];
let allocator: ClusterIpAllocator;

const addresses: IpAllocator = {
  isTaken: () => false,
  add(ip) {
    if (taken.has(ip)) throw alreadyExists({ group: 'networking.k8s.io', resource: 'ipaddresses' }, ip);
    taken.add(ip);
    return Promise.resolve();
  },
  remove(ip) {
    taken.delete(ip);
    return Promise.resolve();
  },
};

const range = (cidr: string, isReady = true): ServiceRange => ({ ...ipRangeOf(cidr)!, isReady });

beforeEach(() => {
  taken = new Set();
  ranges = [range('10.0.0.0/29'), range('10.9.0.0/29'), range('fd00::/112')];
  allocator = new ClusterIpAllocator('IPv4', () => ranges, addresses, seededRandom(1));
});

test('all ranges of the family are used up before there is none', async () => {
  const given: string[] = [];
  for (let i = 0; i < 12; i++) given.push(await allocator.takeAny(service, false));

  expect(new Set(given).size).toBe(12);
  expect(given.every((ip) => ip.startsWith('10.'))).toBe(true);
  await expect(allocator.takeAny(service, false)).rejects.toThrow('range is full');
});

test('an address is had by name from any range, once', async () => {
  await allocator.take('10.9.0.3', service, false);

  await expect(allocator.take('10.9.0.3', service, false)).rejects.toThrow(
    'provided IP is already allocated',
  );
  await expect(allocator.take('10.5.0.3', service, false)).rejects.toThrow(
    'the provided network does not match the current range',
  );
});

test('a released address is free again, however it is written', async () => {
  const ofIpv6 = new ClusterIpAllocator('IPv6', () => ranges, addresses, seededRandom(1));
  await ofIpv6.take('FD00:0::7', service, false);
  expect([...taken]).toEqual(['fd00::7']);

  await ofIpv6.release('fd00::0007');
  expect([...taken]).toEqual([]);
});

test('a range that is not ready gives nothing', async () => {
  ranges = [range('10.0.0.0/29', false)];

  await expect(allocator.takeAny(service, false)).rejects.toThrow('range is full');
  await expect(allocator.takeAny(service, true)).rejects.toThrow('allocator not ready');
  await expect(allocator.take('10.0.0.3', service, false)).rejects.toThrow(
    'does not match the current range',
  );
});

test('a dry run takes nothing and shows the address of the network', async () => {
  expect(await allocator.takeAny(service, true)).toBe('10.0.0.0');
  await allocator.take('10.0.0.3', service, true);
  expect(taken.size).toBe(0);

  await expect(allocator.take('10.9.0.3', service, true)).rejects.toThrow(
    'the provided IP (10.9.0.3) is not in the valid range. The range of valid IPs is 10.0.0.0/29',
  );
});
