import { expect, test } from 'vitest';
import { packSubsets, type Endpoint, type Port } from './subsets.ts';

const http: Port = { name: 'http', port: 8001, protocol: 'TCP' };
const dns: Port = { name: 'dns', port: 53, protocol: 'UDP' };

const endpoint = (ip: string, ports: readonly Port[], isReady = true): Endpoint => ({
  address: { ip },
  isReady,
  ports,
});

test('ports offered by the same addresses share a subset', () => {
  expect(packSubsets([endpoint('10.0.0.2', [http, dns]), endpoint('10.0.0.1', [http, dns])])).toEqual([
    { addresses: [{ ip: '10.0.0.1' }, { ip: '10.0.0.2' }], ports: [http, dns] },
  ]);
});

test('a port that more addresses offer has a subset of its own', () => {
  const subsets = packSubsets([endpoint('10.0.0.1', [http, dns]), endpoint('10.0.0.2', [dns])]);
  expect(subsets).toHaveLength(2);
  expect(subsets).toContainEqual({ addresses: [{ ip: '10.0.0.1' }], ports: [http] });
  expect(subsets).toContainEqual({ addresses: [{ ip: '10.0.0.1' }, { ip: '10.0.0.2' }], ports: [dns] });
});

test('addresses that are not ready are separate', () => {
  expect(packSubsets([endpoint('10.0.0.1', [dns]), endpoint('10.0.0.2', [dns], false)])).toEqual([
    { addresses: [{ ip: '10.0.0.1' }], notReadyAddresses: [{ ip: '10.0.0.2' }], ports: [dns] },
  ]);
});

test('addresses without ports are kept', () => {
  expect(packSubsets([endpoint('10.0.0.1', [])])).toEqual([{ addresses: [{ ip: '10.0.0.1' }] }]);
});

test('a port that some addresses offer in another list has all of them', () => {
  const subsets = packSubsets([
    endpoint('10.0.0.1', [http, dns]),
    endpoint('10.0.0.2', [http], false),
    endpoint('10.0.0.2', [dns]),
  ]);
  expect(subsets).toContainEqual({
    addresses: [{ ip: '10.0.0.1' }],
    notReadyAddresses: [{ ip: '10.0.0.2' }],
    ports: [http],
  });
  expect(subsets).toContainEqual({ addresses: [{ ip: '10.0.0.1' }, { ip: '10.0.0.2' }], ports: [dns] });
});

const many = <T>(count: number, make: (at: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => make(at));
const portsOf = (count: number): Port[] => many(count, (at) => ({ name: `p${at}`, port: at + 1 }));

test('many addresses that offer the same many ports are not combined with each of them', () => {
  const count = 300;
  let reads = 0;
  const ports = portsOf(count);
  const addresses = many(count, (at) => ({
    get ip() {
      reads++;
      return `10.0.${at >> 8}.${at & 255}`;
    },
  }));
  const [subset, ...others] = packSubsets(
    addresses.map((address) => ({ address, isReady: true, ports: [...ports] })),
  );
  expect(others).toEqual([]);
  expect(subset!.addresses).toHaveLength(count);
  expect(subset!.ports).toHaveLength(count);
  expect(reads).toBeLessThan(50 * count);
});

test('ports that each combine with all addresses in another way are refused', () => {
  const ports = portsOf(1_100);
  const shared = many(1_000, (at) => endpoint(`10.0.${at >> 8}.${at & 255}`, ports));
  const single = ports.map((port, at) => endpoint(`11.0.${at >> 8}.${at & 255}`, [port]));
  expect(() => packSubsets([...shared, ...single])).toThrow('too many combinations');
});
