/** An extension server that answers as a test likes, and the API server that sends clients on to it. */
import { createServer } from 'node:https';
import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { selfSigned } from '@coxswain/apiserver/testing/self-signed.ts';
import type { AttackedServer } from './attacked-server.ts';

export interface ExtensionServer {
  readonly port: number;
  /** Registers it for a group of its own; resolves when the API server has found it (un)available. */
  register(group: string, available?: 'True' | 'False'): Promise<void>;
  stop(): void;
}

export async function extensionServer(
  attacked: AttackedServer,
  answer: RequestListener,
): Promise<ExtensionServer> {
  const server = createServer({ ...(await selfSigned()), keepAlive: false }, answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const name = `extension-${port}`;
  const post = async (path: string, object: object) => {
    const { status, text } = await attacked.send({
      path,
      method: 'POST',
      as: 'admin',
      body: JSON.stringify(object),
    });
    if (status !== 201) throw new Error(text);
  };
  await post('/api/v1/namespaces/default/services', {
    metadata: { name },
    spec: { type: 'ExternalName', externalName: 'localhost', ports: [{ port }] },
  });
  return {
    port,
    async register(group, available = 'True') {
      await post('/apis/apiregistration.k8s.io/v1/apiservices', {
        metadata: { name: `v1.${group}` },
        spec: {
          group,
          version: 'v1',
          groupPriorityMinimum: 100,
          versionPriority: 10,
          insecureSkipTLSVerify: true,
          service: { namespace: 'default', name, port },
        },
      });
      while ((await availabilityOf(attacked, `v1.${group}`)) !== available)
        await new Promise((resolve) => setTimeout(resolve, 100));
    },
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}

interface Conditions {
  readonly status?: { readonly conditions?: readonly { readonly status: string }[] };
}

async function availabilityOf(attacked: AttackedServer, name: string): Promise<string | undefined> {
  const path = `/apis/apiregistration.k8s.io/v1/apiservices/${name}`;
  const { text } = await attacked.send({ path, as: 'admin' });
  return (JSON.parse(text) as Conditions).status?.conditions?.[0]?.status;
}

/** What discovery asks for, answered as it should be. */
export const discovery = (group: string) =>
  JSON.stringify({
    kind: 'APIResourceList',
    apiVersion: 'v1',
    groupVersion: `${group}/v1`,
    resources: [
      { name: 'things', singularName: 'thing', namespaced: true, kind: 'Thing', verbs: ['get', 'list'] },
    ],
  });
