import { namespaceOfKubeconfig } from '@coxswain/client';
import { inClusterKubeconfig, connect, loadKubeconfig } from '@coxswain/client/node.ts';
import { createManager } from '@coxswain/controller';
import { probeServer } from '@coxswain/controller/node.ts';
import { greetings } from './controller.ts';
import { certificatesIn, webhooksWith } from './webhook.ts';

const inCluster = inClusterKubeconfig();
const client = connect(inCluster ?? loadKubeconfig());
const manager = createManager({ client, onError: console.error });
manager.add(greetings);
// On a developer's machine, only the controller runs, since the API server could not reach the webhook.
if (inCluster !== undefined) {
  const certificates = certificatesIn(namespaceOfKubeconfig(inCluster));
  manager
    .add(certificates)
    .add(webhooksWith(certificates))
    .add(probeServer({ port: 8081 }));
}

const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());
await manager.start(stopping.signal);
