/** Copies the text of each Greeting into a ConfigMap, and says in the status that it did. */

import { controller, controllerReference } from '@coxswain/controller';

export const Greeting = { apiVersion: 'example.com/v1', kind: 'Greeting' };
const ConfigMap = { apiVersion: 'v1', kind: 'ConfigMap' };
const fieldManager = 'greeter';

export const greeter = controller({
  name: 'greeter',
  for: Greeting,
  owns: [ConfigMap],
  async reconcile({ namespace, name }, { cache, client }) {
    const greeting = cache.of(Greeting).get(name, namespace);
    if (greeting === undefined) return;
    const metadata = { name, namespace, ownerReferences: [controllerReference(Greeting, greeting)] };
    await client.apply({ ...ConfigMap, metadata, data: { text: greeting.spec.text } }, { fieldManager });
    const status = { metadata: { name }, status: { ready: true } };
    await client.of(Greeting).namespace(namespace).apply(status, { fieldManager, subresource: 'status' });
  },
});
