/**
 * What commands in simulated containers reach: services and pods by name and address, as the API has them. No packet
 * is sent anywhere; a connection ends at the page of a simulated container.
 */

import { parseIp, type KubeObject, type Random } from '@coxswain/apimachinery';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { KubeClient } from '@coxswain/client';
import type { ClusterView, ServiceObject } from '@coxswain/cluster-dns/zone/cluster-view.ts';
import { findTargets, namesOfAddress } from '@coxswain/cluster-dns/zone/find-targets.ts';
import { isWithin, parseName } from '@coxswain/cluster-dns/zone/name-request.ts';
import { everythingPasses, type Flow, type FlowJudge } from './flow.ts';
import { listensOn } from './listening.ts';
import { nameServerAddress, nameServerPod, nameServerPort } from './name-server.ts';
import { NetworkFailure, NoResponse, type Listener, type SimulatedNetwork } from './pod-network.ts';
import { readCluster } from './read-cluster.ts';

const domain = 'cluster.local';
/** With so many dots a name is tried as it is first. */
const dotsOfFullName = 5;

export interface ClusterNetworkOptions {
  readonly client: KubeClient;
  /** Which of several endpoints is reached. */
  readonly random: Random;
  /** Everything when absent. */
  readonly judge?: FlowJudge | undefined;
}

/** The network of the cluster that `client` speaks to. */
export const clusterNetwork =
  ({ client, random, judge = everythingPasses }: ClusterNetworkOptions): SimulatedNetwork =>
  (pod, addresses) => {
    const from = { address: addresses[0] ?? pod.status?.hostIP ?? '', pod };
    const mayPass = async (flow: Omit<Flow, 'from'>): Promise<void> => {
      if (!(await judge({ from, ...flow }))) throw new NoResponse();
    };
    const askNameServer = () =>
      mayPass({
        to: { address: nameServerAddress, pod: nameServerPod },
        protocol: 'UDP',
        port: nameServerPort,
      });
    const connectTo = async (address: string, port: number): Promise<Listener> => {
      const there = await podsAt(client, address);
      await mayPass({ to: { address, pod: there[0] }, protocol: 'TCP', port });
      return listenerOf(there, port);
    };
    return {
      async lookUp(name) {
        if (name === 'localhost') return { name, addresses: ['127.0.0.1'] };
        if (parseIp(name) !== undefined) return { name, addresses: [name] };
        await askNameServer();
        const view = await readCluster(client);
        for (const full of searched(name.toLowerCase(), pod.metadata?.namespace ?? '')) {
          const found = addressesOf(full, view);
          if (found.length > 0) return { name: full, addresses: found };
        }
        return undefined;
      },
      async namesOf(address) {
        await askNameServer();
        return namesOfAddress(address, await readCluster(client)).map((name) => `${name}.${domain}`);
      },
      async connect(address, port) {
        if (address.startsWith('127.')) return listenerOf(await podsAt(client, from.address), port);
        const view = await readCluster(client);
        const service = view.serviceByAddress(address);
        if (service === undefined) return connectTo(address, port);
        const behind = endpointsOf(service, port, view);
        if (behind.length === 0) throw new NetworkFailure('Connection refused');
        const chosen = behind[Math.floor(random.next() * behind.length)]!;
        return connectTo(chosen.address, chosen.port);
      },
    };
  };

/** The names that a resolver asks for, in its order. */
function searched(name: string, namespace: string): readonly string[] {
  if (name.endsWith('.')) return [name.slice(0, -1)];
  const below = [`${namespace}.svc.${domain}`, `svc.${domain}`, domain].map((suffix) => `${name}.${suffix}`);
  return name.split('.').length > dotsOfFullName ? [name, ...below] : [...below, name];
}

/** Of a name in full; an alias is followed once, and leads nowhere outside of the cluster. */
function addressesOf(name: string, view: ClusterView, isAlias = false): readonly string[] {
  if (!isWithin(name, domain)) return [];
  const request = parseName(name, domain);
  const targets = request === undefined ? [] : (findTargets(request, view) ?? []);
  const found = targets.flatMap(({ host }) =>
    parseIp(host) !== undefined ? [host] : isAlias ? [] : addressesOf(host, view, true),
  );
  return [...new Set(found)];
}

interface ServiceEndpoint {
  readonly address: string;
  readonly port: number;
}

/** Ready ones, behind one port of a service. */
function endpointsOf(
  { metadata, spec }: ServiceObject,
  port: number,
  view: ClusterView,
): readonly ServiceEndpoint[] {
  const asked = spec?.ports?.find((one) => one.port === port && (one.protocol ?? 'TCP') === 'TCP');
  if (asked === undefined) return [];
  return view.slicesOf(metadata.namespace ?? '', metadata.name ?? '').flatMap(({ endpoints, ports }) => {
    const target = ports?.find(({ name }) => (name ?? '') === (asked.name ?? ''))?.port;
    if (!target) return [];
    return (endpoints ?? [])
      .filter(({ conditions }) => conditions?.ready !== false)
      .flatMap(({ addresses }) => (addresses ?? []).map((address) => ({ address, port: target })));
  });
}

/** Those that run; several share the address of their node. */
async function podsAt(client: KubeClient, address: string): Promise<readonly Pod[]> {
  const { items } = await client
    .resource<Pod & KubeObject>('v1', 'pods')
    .list({ fieldSelector: `status.podIP=${address}` });
  return items.filter(({ status }) => status?.phase === 'Running');
}

/** @throws NetworkFailure */
function listenerOf(pods: readonly Pod[], port: number): Listener {
  if (pods.length === 0) throw new NetworkFailure('Host is unreachable');
  for (const pod of pods) {
    const isRunning = (name: string) =>
      pod.status?.containerStatuses?.some((one) => one.name === name && one.state?.running !== undefined);
    const container = pod.spec?.containers?.find((one) => isRunning(one.name) && listensOn(pod, one, port));
    if (container !== undefined) return { pod, container: container.name, port };
  }
  throw new NetworkFailure('Connection refused');
}
