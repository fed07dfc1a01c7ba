import { inClusterKubeconfig, connect, loadKubeconfig } from '@coxswain/client/node.ts';
import { createManager } from '@coxswain/controller';
import { probeServer, webhookServer } from '@coxswain/controller/node.ts';
import { greetings } from './controller.ts';
import { validateGreeting } from './webhook.ts';

const certificates = process.env['WEBHOOK_CERTIFICATES'];
const inCluster = inClusterKubeconfig();
const client = connect(inCluster ?? loadKubeconfig());
const manager = createManager({ client, onError: console.error });
manager.add(greetings);
if (inCluster !== undefined) manager.add(probeServer({ port: 8081 }));
if (certificates !== undefined)
  manager.add(
    webhookServer({
      port: 9443,
      certFile: `${certificates}/tls.crt`,
      keyFile: `${certificates}/tls.key`,
      handlers: { '/validate': validateGreeting },
    }),
  );

const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());
await manager.start(stopping.signal);
