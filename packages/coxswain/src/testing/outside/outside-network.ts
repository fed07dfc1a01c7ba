/** A cluster's network as a test or a page reaches it from outside: names, addresses, and what Ingresses publish. */

import { parseIp, type KubeObject, type Random } from '@coxswain/apimachinery';
import type { Node } from '@coxswain/api/core/v1/node.ts';
import type { KubeClient } from '@coxswain/client';
import type { PodNetwork } from '@coxswain/simulated-nodes/network/pod-network.ts';
import { gatewayServer } from './gateway-server.ts';
import { publishedRoutes } from './published-routes.ts';

export interface OutsideNetworkParts {
  readonly client: KubeClient;
  /** The network of the cluster, as seen from outside. */
  readonly network: PodNetwork;
  /** Selects one of several weighted backends. */
  readonly random: Random;
}

/** The address at which Ingresses and HTTPRoutes are served (RFC 5737). */
const gatewayAddress = '203.0.113.80';
const gatewayPort = 80;

export const outsideNetwork = (parts: OutsideNetworkParts): PodNetwork => ({
  async lookUp(name) {
    if (parseIp(name) !== undefined) return { name, addresses: [name] };
    const address = await nodeAddress(parts.client, name);
    if (address !== undefined) return { name, addresses: [address] };
    const routes = await publishedRoutes(parts.client);
    if (routes.some(({ isForHost }) => isForHost(name))) return { name, addresses: [gatewayAddress] };
    // A plain `web` is looked up in the namespace `default`, as with kubectl.
    return (await parts.network.lookUp(name)) ?? parts.network.lookUp(`${name}.default`);
  },
  namesOf: (address) => parts.network.namesOf(address),
  connect: (address, port) =>
    address === gatewayAddress && port === gatewayPort
      ? Promise.resolve(gatewayServer(parts))
      : parts.network.connect(address, port),
});

async function nodeAddress(client: KubeClient, name: string): Promise<string | undefined> {
  const { items } = await client
    .resource<Node & KubeObject>('v1', 'nodes')
    .list({ fieldSelector: `metadata.name=${name}` });
  return items[0]?.status?.addresses?.find(({ type }) => type === 'InternalIP')?.address;
}
