import { parseIp } from '@coxswain/apimachinery';
import { expect, test } from 'vitest';
import { addressAt, ipRangeOf, rangeHolds } from './ip-range.ts';

test.each([
  ['10.0.0.0/24', '10.0.0.1', 254n, 16n],
  ['10.0.0.0/16', '10.0.0.1', 65_534n, 256n],
  ['10.0.0.0/28', '10.0.0.1', 14n, 0n],
  ['fd00::/112', 'fd00::1', 65_535n, 256n],
])('%s begins with %s', (cidr, first, size, reserved) => {
  const range = ipRangeOf(cidr)!;

  expect(addressAt(range, 0n)).toBe(first);
  expect(range).toMatchObject({ size, reserved });
});

test.each([['10.0.0.0/31'], ['10.0.0.0/32']])('%s has no address to give', (cidr) => {
  expect(ipRangeOf(cidr)!.size).toBe(0n);
});

test.each([['10.0.0.0'], ['fd00::/63'], ['abc/8']])('%s is no range', (cidr) => {
  expect(ipRangeOf(cidr)).toBeUndefined();
});

test.each([
  ['10.0.0.0', false],
  ['10.0.0.1', true],
  ['10.0.0.254', true],
  ['10.0.0.255', false],
  ['fd00::1', false],
])('10.0.0.0/24 holds %s: %s', (ip, expected) => {
  expect(rangeHolds(ipRangeOf('10.0.0.0/24')!, parseIp(ip)!)).toBe(expected);
});
