/** A scheduler beside the usual one: its pods go to the nodes by the first letter of their name. */

import { Informer } from '@coxswain/client';

export const schedulerName = 'by-letter';

/** Runs until the signal aborts. */
export async function schedule(client, signal) {
  const pods = client.resource('v1', 'pods');
  const informer = new Informer({ resource: pods });
  const place = async (pod) => {
    if (pod.spec.schedulerName !== schedulerName || pod.spec.nodeName) return;
    const { items } = await client.resource('v1', 'nodes').list();
    const nodes = items.map(({ metadata }) => metadata.name).sort();
    const target = { kind: 'Node', name: nodes[pod.metadata.name.charCodeAt(0) % nodes.length] };
    const binding = { apiVersion: 'v1', kind: 'Binding', metadata: { name: pod.metadata.name }, target };
    const { name, namespace } = pod.metadata;
    await pods.namespace(namespace).create(binding, { name, subresource: 'binding' });
  };
  informer.addHandler({ added: (pod) => void place(pod).catch(console.error) });
  await informer.run(signal);
}
