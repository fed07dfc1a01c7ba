/** Browser pages of a test cluster, one per user, which exist as long as the cluster. */

import { resolveKubeconfig } from '@coxswain/client/kubeconfig/resolve.ts';
import type { Kubeconfig } from '@coxswain/client';
import { transportOf } from '@coxswain/client/node.ts';
import type { UiServer } from '../ui/ui-server.ts';

export interface ClusterPages {
  /**
   * Returns a link that opens the page in one browser, once, with the rights of this user. @param kubeconfig the
   * kubeconfig of the user
   */
  link(user: string, kubeconfig: string): Promise<string>;
  close(): Promise<void>;
}

export function clusterPages(): ClusterPages {
  const opened = new Map<string, Promise<UiServer>>();
  return {
    async link(user, kubeconfig) {
      const known = opened.get(user) ?? open(kubeconfig);
      opened.set(user, known);
      return (await known).link();
    },
    async close() {
      for (const server of opened.values()) await (await server).close();
    },
  };
}

async function open(kubeconfig: string): Promise<UiServer> {
  // Most tests never open a page.
  const { serveUi } = await import('../ui/ui-server.ts');
  const resolved = resolveKubeconfig(JSON.parse(kubeconfig) as Kubeconfig);
  const transport = transportOf(resolved);
  const facts = { cluster: 'test cluster', namespace: resolved.namespace };
  return serveUi({ transport, port: 0, facts });
}
