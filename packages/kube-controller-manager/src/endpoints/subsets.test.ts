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
