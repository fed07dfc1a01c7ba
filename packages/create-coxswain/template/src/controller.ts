import { controller, controllerReference } from '@coxswain/controller';
import { Greeting } from './kinds.ts';

const ConfigMap = { apiVersion: 'v1', kind: 'ConfigMap' };
const fieldManager = 'greeting-operator';

/** Runs whenever a Greeting, or a ConfigMap that it owns, has changed. */
export const greetings = controller({
  name: 'greetings',
  for: Greeting,
  owns: [ConfigMap],
  async reconcile({ namespace, name }, { cache, client }) {
    const greeting = cache.of(Greeting).get(name, namespace);
    // Owned objects are deleted by the garbage collector, which follows owner references.
    if (greeting === undefined) return;
    const { text, times = 1 } = greeting.spec;
    const metadata = { name, namespace, ownerReferences: [controllerReference(Greeting, greeting)] };
    const data = { text: Array.from({ length: times }, () => text).join(' ') };
    await client.apply({ ...ConfigMap, metadata, data }, { fieldManager });
    const status = { metadata: { name }, status: { ready: true } };
    await client.of(Greeting).namespace(namespace).apply(status, { fieldManager, subresource: 'status' });
  },
});
