import { expect, onTestFinished, test } from 'vitest';
import type { KubeObject } from '@coxswain/apimachinery';
import { InformerFactory } from '@coxswain/client';
import { startCluster } from '../cluster/cluster.ts';
import type { ServiceObject } from './assign-addresses.ts';
import { startLoadBalancers } from './start-load-balancers.ts';

async function started() {
  const cluster = await startCluster({ nodes: 0, controllers: [], scheduler: false });
  const stopping = new AbortController();
  const client = cluster.client();
  const informers = new InformerFactory({ client });
  informers.start(stopping.signal);
  const errors: unknown[] = [];
  const running = startLoadBalancers({
    client,
    informers,
    signal: stopping.signal,
    onError: (error) => errors.push(error),
  });
  await running.ready;
  onTestFinished(async () => {
    stopping.abort();
    await Promise.all([running.stopped, informers.stopped()]);
    await cluster.stop();
    expect(errors).toEqual([]);
  });
  const nodes = client.resource<KubeObject>('v1', 'nodes');
  await nodes.create({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'one' } });
  await nodes.patch(
    'one',
    {
      status: {
        addresses: [{ type: 'InternalIP', address: '192.0.2.1' }],
        conditions: [{ type: 'Ready', status: 'True' }],
      },
    },
    { subresource: 'status' },
  );
  const services = client.resource<ServiceObject>('v1', 'services').namespace('default');
  const create = (name: string, spec: object = {}) =>
    services.create({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name },
      spec: { type: 'LoadBalancer', ports: [{ port: 80 }], ...spec },
    } as unknown as ServiceObject);
  const ingress = async (name: string) => (await services.get(name)).status?.loadBalancer?.ingress;
  return { client, services, create, ingress };
}

test('a Service gets the address of the node, the next one with its port waits until the first is gone', async () => {
  const { client, services, create, ingress } = await started();
  await create('first');
  await expect.poll(() => ingress('first')).toEqual([{ ip: '192.0.2.1', ipMode: 'VIP' }]);

  await create('second');
  const events = async () => {
    const { items } = await client
      .resource<KubeObject & { reason: string; message: string }>('v1', 'events')
      .namespace('default')
      .list({ fieldSelector: 'involvedObject.name=second' });
    return items.map(({ reason, message }) => `${reason}: ${message}`);
  };
  await expect
    .poll(events)
    .toEqual(['SyncLoadBalancerFailed: port TCP/80 of node one is taken by Service default/first']);
  expect(await ingress('second')).toBeUndefined();

  await services.delete('first');
  await expect.poll(() => ingress('second')).toEqual([{ ip: '192.0.2.1', ipMode: 'VIP' }]);
});

test('a Service of another class is not touched', async () => {
  const { create, ingress } = await started();
  await create('theirs', { loadBalancerClass: 'example.com/cloud' });
  await create('ours', { ports: [{ port: 81 }] });
  await expect.poll(() => ingress('ours')).toHaveLength(1);
  expect(await ingress('theirs')).toBeUndefined();
});
