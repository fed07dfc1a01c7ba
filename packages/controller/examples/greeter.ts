import { customKind } from '@coxswain/client';
import { connect, loadKubeconfig } from '@coxswain/client/node.ts';
import { controller, controllerReference, createManager } from '@coxswain/controller';

/** Copies `{ text: 'hello' }` into a ConfigMap and reports it in the status. */
const Greeting = customKind({
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
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: { type: 'object', required: ['text'], properties: { text: { type: 'string' } } },
              status: { type: 'object', properties: { said: { type: 'string' } } },
            },
          },
        },
      },
    ],
  },
});
const ConfigMap = { apiVersion: 'v1', kind: 'ConfigMap' };
const fieldManager = 'greeter';

const greeter = controller({
  name: 'greeter',
  for: Greeting,
  owns: [ConfigMap],
  async reconcile({ namespace, name }, { cache, client }) {
    const greeting = cache.of(Greeting).get(name, namespace);
    if (greeting?.spec === undefined) return;
    const { text } = greeting.spec;
    const metadata = { name, namespace, ownerReferences: [controllerReference(Greeting, greeting)] };
    await client.apply({ ...ConfigMap, metadata, data: { text } }, { fieldManager });
    const status = { metadata: { name }, status: { said: text } };
    await client.of(Greeting).namespace(namespace).apply(status, { fieldManager, subresource: 'status' });
  },
});

const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stopping.abort());
const client = connect(loadKubeconfig());
await client.apply(Greeting.definition, { fieldManager });
await createManager({ client, onError: console.error }).add(greeter).start(stopping.signal);
