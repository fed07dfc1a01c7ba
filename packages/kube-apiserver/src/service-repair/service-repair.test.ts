import { ManualClock, seededRandom } from '@coxswain/apimachinery';
import { MemoryStorage } from '@coxswain/storage/engine/memory/memory-storage.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { assembleKubeApiServer, type AssembledApiServer } from '../assemble.ts';

const addresses = '/apis/networking.k8s.io/v1/ipaddresses';
const services = '/api/v1/namespaces/default/services';
const defaultRange = '/apis/networking.k8s.io/v1/servicecidrs/kubernetes';

let clock: ManualClock;
let server: AssembledApiServer;

beforeEach(async () => {
  clock = new ManualClock();
  server = await assembleKubeApiServer({
    storage: new MemoryStorage({ clock }),
    clock,
    random: seededRandom(1),
  });
  await server.start();
});

afterEach(() => server.stop());

async function ask(method: string, path: string, object?: object) {
  const response = await server
    .inProcess({ name: 'admin', groups: ['system:masters'] }, { structured: false })
    .send({
      method,
      path,
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      ...(object && { body: new TextEncoder().encode(JSON.stringify(object)) }),
    });
  return { status: response.status, body: JSON.parse(new TextDecoder().decode(await response.bytes())) };
}

const reasons = async (): Promise<string[]> =>
  (await ask('GET', '/api/v1/events')).body.items.map(({ reason }: { reason: string }) => reason);

const service = (name: string, spec: object = {}) => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name },
  spec: { ports: [{ port: 80 }], ...spec },
});

test('a cluster IP without its IPAddress gets it back', async () => {
  await ask('POST', services, service('web', { clusterIP: '10.0.0.50' }));
  await ask('DELETE', `${addresses}/10.0.0.50`);
  await clock.advance(4 * 60_000);

  const { body } = await ask('GET', `${addresses}/10.0.0.50`);
  expect(body.spec.parentRef).toEqual({ resource: 'services', namespace: 'default', name: 'web' });
  expect(await reasons()).toEqual(['ClusterIPNotAllocated']);
});

test('an IPAddress whose service never came is given back after a minute', async () => {
  await ask('POST', addresses, {
    metadata: { name: '10.0.0.60', labels: { 'ipaddress.kubernetes.io/managed-by': 'ipallocator.k8s.io' } },
    spec: { parentRef: { resource: 'services', namespace: 'default', name: 'never' } },
  });
  await clock.advance(50_000);
  expect((await ask('GET', `${addresses}/10.0.0.60`)).status).toBe(200);

  await clock.advance(15_000);
  expect((await ask('GET', `${addresses}/10.0.0.60`)).status).toBe(404);
  expect(await reasons()).toEqual(['IPAddressNotAllocated']);
});

test('an IPAddress of another owner is left alone', async () => {
  await ask('POST', addresses, {
    metadata: { name: '10.0.0.61' },
    spec: { parentRef: { resource: 'gateways', group: 'example.com', name: 'mine' } },
  });
  await clock.advance(4 * 60_000);

  expect((await ask('GET', `${addresses}/10.0.0.61`)).status).toBe(200);
});

test('the default range comes back when it is deleted, and is ready', async () => {
  await ask('DELETE', defaultRange);
  expect((await ask('GET', defaultRange)).status).toBe(404);
  await clock.advance(11_000);

  const { body } = await ask('GET', defaultRange);
  expect(body.status.conditions).toMatchObject([{ type: 'Ready', status: 'True' }]);
});

test('a service outside all ranges is reported once, and repetitions are counted', async () => {
  await ask('POST', '/apis/networking.k8s.io/v1/servicecidrs', {
    metadata: { name: 'more' },
    spec: { cidrs: ['10.9.0.0/24'] },
  });
  await ask('POST', services, service('far', { clusterIP: '10.9.0.7' }));
  await ask('DELETE', '/apis/networking.k8s.io/v1/servicecidrs/more');
  await clock.advance(3 * 60_000 + 1000);
  await clock.advance(3 * 60_000 + 1000);

  const { items } = (await ask('GET', '/apis/events.k8s.io/v1/events')).body;
  expect(items).toMatchObject([
    {
      reason: 'ClusterIPOutOfRange',
      note: 'Cluster IP [IPv4]: 10.9.0.7 is not within any configured Service CIDR; please recreate service',
      regarding: { kind: 'Service', name: 'far' },
      reportingController: 'ipallocator-repair-controller',
      series: { count: 2 },
    },
  ]);
});
