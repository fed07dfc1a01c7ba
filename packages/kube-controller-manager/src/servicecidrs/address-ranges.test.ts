import { expect, test } from 'vitest';
import type { IPAddress, ServiceCidr } from '../objects.ts';
import { mayGo, rangesOverlapping, rangesWithAddress } from './address-ranges.ts';

const range = (name: string, ...cidrs: string[]) =>
  ({ metadata: { name }, spec: { cidrs } }) as unknown as ServiceCidr;
const address = (name: string, manager = 'ipallocator.k8s.io') =>
  ({ metadata: { name, labels: { 'ipaddress.kubernetes.io/managed-by': manager } } }) as unknown as IPAddress;

const first = range('first', '10.0.0.0/24', 'fd00::/112');
const wider = range('wider', '10.0.0.0/16');
const names = (found: readonly ServiceCidr[]) => found.map(({ metadata }) => metadata.name);

test('an address belongs to all ranges around it, the edges to none', () => {
  expect(names(rangesWithAddress([first, wider], '10.0.0.7'))).toEqual(['first', 'wider']);
  expect(names(rangesWithAddress([first, wider], '10.0.0.255'))).toEqual(['wider']);
  expect(names(rangesWithAddress([first], '10.0.0.0'))).toEqual([]);
  expect(names(rangesWithAddress([first], 'fd00::ffff'))).toEqual(['first']);
});

test('ranges overlap when one is in the other', () => {
  expect(names(rangesOverlapping([first, wider, range('far', '192.0.2.0/24')], wider))).toEqual([
    'first',
    'wider',
  ]);
});

test('a range with an address that only it has must stay', () => {
  expect(mayGo(wider, [first, wider], [address('10.0.3.1')])).toBe(false);
  expect(mayGo(wider, [first, wider], [address('10.0.0.1')])).toBe(true);
  expect(mayGo(wider, [wider], [address('10.0.3.1', 'somebody')])).toBe(true);
});

test('a range may be deleted if others contain all its networks, even with addresses in use', () => {
  const inner = range('inner', '10.0.0.0/24');
  expect(mayGo(inner, [inner, wider], [address('10.0.0.7')])).toBe(true);
  expect(mayGo(inner, [inner, range('twin', '10.0.0.0/24')], [address('10.0.0.7')])).toBe(true);
  expect(mayGo(first, [first, wider], [address('fd00::7')])).toBe(false);
});
