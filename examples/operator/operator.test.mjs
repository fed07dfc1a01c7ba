import { after, before, test } from 'node:test';
import { createClient } from '@coxswain/client';
import { createManager } from '@coxswain/controller';
import { assertEventuallyHas, assertEventuallyLacks, createCluster } from 'coxswain/testing';
import { greeter } from './operator.mjs';

const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'greetings.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'greetings', kind: 'Greeting' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
};
const greeting = (text) => ({
  apiVersion: 'example.com/v1',
  kind: 'Greeting',
  metadata: { name: 'a' },
  spec: { text },
});

let cluster, running;
const stopping = new AbortController();

before(async () => {
  cluster = await createCluster({ nodes: 0, seed: 1 });
  await cluster.apply(definition);
  const client = createClient({ transport: cluster.transport, clock: cluster.clock });
  running = createManager({ client, clock: cluster.clock }).add(greeter).start(stopping.signal);
});
after(async () => {
  stopping.abort();
  await running;
  await cluster.stop();
});

test('the operator copies the text, also when others get in its way', async () => {
  cluster.faults.add({ verb: 'patch', resource: 'configmaps', action: 'conflict', times: 2 });
  await cluster.apply(greeting('hello'));
  await assertEventuallyHas(cluster, 'configmap/a', { data: { text: 'hello' } });
  await assertEventuallyHas(cluster, 'greeting/a', { status: { ready: true } });
});

test('what it made goes with the greeting', async () => {
  await cluster.remove(greeting('hello'));
  await assertEventuallyLacks(cluster, 'configmap/a');
});
