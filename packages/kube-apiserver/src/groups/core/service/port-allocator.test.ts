import { featureGates } from '@coxswain/component-base/features/feature-gates.ts';
import { ManualClock, seededRandom } from '@coxswain/apimachinery';
import type { Service } from '@coxswain/api/core/v1/service.ts';
import { MemoryStorage } from '@coxswain/storage';
import { beforeEach, expect, test } from 'vitest';
import { NodePortAllocator } from './node-port-allocator.ts';
import { PortAllocator } from './port-allocator.ts';
import { ServiceAllocators } from './service-allocators.ts';

const range = { base: 30_000, size: 20 };

let storage: MemoryStorage;
let portAllocator: PortAllocator;

beforeEach(() => {
  storage = new MemoryStorage({ clock: new ManualClock() });
  portAllocator = new PortAllocator(storage, range);
});

const stored = async () =>
  JSON.parse(new TextDecoder().decode((await storage.get('/registry/ranges/servicenodeports'))!.value));

test('either all ports are taken or none', async () => {
  expect(await portAllocator.claim([30_001, 30_009])).toEqual([]);
  expect(await portAllocator.claim([30_002, 30_009])).toEqual([30_009]);
  expect([...(await portAllocator.read())]).toEqual([30_001, 30_009]);
});

test("the stored bitmap equals upstream's", async () => {
  await portAllocator.claim([30_001, 30_009]);
  expect(await stored()).toMatchObject({
    kind: 'RangeAllocation',
    range: '30000-30019',
    data: btoa('\x02\x02'),
  });

  await portAllocator.release([30_009]);
  expect(await stored()).toMatchObject({ data: btoa('\x02') });
});

test('a bitmap of another range counts as far as it fits', async () => {
  await new PortAllocator(storage, { base: 29_995, size: 10 }).claim([29_996, 30_003]);

  expect([...(await portAllocator.read())]).toEqual([30_003]);
});

test('an unchanged state is not written', async () => {
  await portAllocator.mark([30_001]);
  const before = storage.currentRevision;
  await portAllocator.mark([30_001]);
  await portAllocator.release([30_002]);

  expect(storage.currentRevision).toBe(before);
});

test('two servers of one store never give out the same port', async () => {
  // Both choose the same port first.
  const servers = [1, 1].map(
    (seed) =>
      new ServiceAllocators(
        [],
        new NodePortAllocator(range, seededRandom(seed)),
        featureGates([]),
        portAllocator,
      ),
  );
  const service = (): Service =>
    ({
      metadata: { name: 'web', namespace: 'default' },
      spec: {
        type: 'NodePort',
        clusterIP: 'None',
        clusterIPs: ['None'],
        ports: [{ port: 80, protocol: 'TCP' }],
      },
    }) as unknown as Service;
  const services = Array.from({ length: range.size }, service);
  const writes = await Promise.all(
    services.map((each, at) => servers[at % 2]!.beginUpdate(each, service(), false)),
  );
  const given = services.map(({ spec }) => spec.ports![0]!.nodePort);

  expect(new Set(given).size).toBe(range.size);
  await writes[0]!(false);
  expect(await portAllocator.claim([given[0]!])).toEqual([]);
});
