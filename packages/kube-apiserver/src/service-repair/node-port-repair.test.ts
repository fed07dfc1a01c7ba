import { seededRandom } from '@coxswain/apimachinery';
import type { Service } from '@coxswain/api/core/v1/service.ts';
import { beforeEach, expect, test } from 'vitest';
import { NodePortAllocator } from '../groups/core/service/node-port-allocator.ts';
import { NodePortRepair } from './node-port-repair.ts';

let ports: NodePortAllocator;
let reported: string[];
let repair: NodePortRepair;

beforeEach(() => {
  ports = new NodePortAllocator({ base: 30_000, size: 100 }, seededRandom(1));
  reported = [];
  const warn = ({ metadata }: { metadata: { name?: string } }, { note }: { note: string }) => {
    reported.push(`${metadata.name}: ${note}`);
    return Promise.resolve();
  };
  repair = new NodePortRepair(ports, { warn });
});

const service = (name: string, ...given: { nodePort: number; protocol?: string }[]): Service => {
  const spec = { type: 'NodePort', ports: given.map((port) => ({ port: 80, ...port })) };
  return { metadata: { name, namespace: 'default' }, spec } as unknown as Service;
};

test("a service's port that is unknown to the allocator is taken", async () => {
  await repair.check([service('a', { nodePort: 30_001 })]);

  expect(reported).toEqual(['a: Port 30001 is not allocated; repairing']);
  expect(ports.has(30_001)).toBe(true);
});

test('a port of two services, and one outside the range, are reported', async () => {
  ports.adopt(30_001);
  await repair.check([
    service('a', { nodePort: 30_001 }),
    service('b', { nodePort: 30_001 }, { nodePort: 5 }),
  ]);

  expect(reported).toEqual([
    'b: Port 30001 was assigned to multiple services; please recreate service',
    'b: Port 5 is not within the port range 30000-30099; please recreate service',
  ]);
});

test('one number for two protocols is one port', async () => {
  ports.adopt(30_001);
  await repair.check([service('a', { nodePort: 30_001 }, { nodePort: 30_001, protocol: 'UDP' })]);

  expect(reported).toEqual([]);
});

test('a port without a service is released after some rounds', async () => {
  ports.adopt(30_002);
  for (let round = 0; round < 3; round++) {
    await repair.check([]);
    expect(ports.has(30_002)).toBe(true);
  }
  await repair.check([]);

  expect(ports.has(30_002)).toBe(false);
});
