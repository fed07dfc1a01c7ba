/**
 * The network as commands in simulated containers see it: services and pods by name and address, according to the API.
 * No packets are sent; a connection ends at the simulated program that listens.
 */

import { goQuote, here, parseIp, runStep, type KubeObject, type StepObserver } from '@coxswain/apimachinery';
import type { Container } from '@coxswain/api/core/v1/container.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { KubeClient } from '@coxswain/client';
import type { ClusterView } from '@coxswain/cluster-dns/zone/cluster-view.ts';
import { findTargets, namesOfAddress } from '@coxswain/cluster-dns/zone/find-targets.ts';
import { isWithin, parseName } from '@coxswain/cluster-dns/zone/name-request.ts';
import { pageServer } from './http-page.ts';
import {
  everythingPasses,
  noServices,
  type Flow,
  type FlowEnd,
  type FlowJudge,
  type ServiceRouter,
} from '../network/flow.ts';
import type { HttpServer } from '../network/http-message.ts';
import { listensOn, noPrograms, type FindProgram } from './listening.ts';
import { nameServerAddress, nameServerPod, nameServerPort } from '../network/name-server.ts';
import {
  NetworkFailure,
  NoResponse,
  type Place,
  type RoutedNetwork,
  type SimulatedNetwork,
} from '../network/pod-network.ts';
import { readCluster } from './read-cluster.ts';

const domain = 'cluster.local';
/** A name with at least this many dots is first tried as it is (`ndots`). */
const dotsOfFullName = 5;

export interface ClusterNetworkOptions {
  readonly client: KubeClient;
  /** Everything is allowed if unset. */
  readonly judge?: FlowJudge | undefined;
  /** There are no Services if unset. */
  readonly router?: ServiceRouter | undefined;
  /** Containers whose images are defined by the user; none if unset. */
  readonly findProgram?: FindProgram | undefined;
  /** Called for each request that a container is sent. */
  readonly onRequest?: ((pod: Pod, container: string) => void) | undefined;
}

/** The network of the cluster that `client` is connected to, as its pods see it. */
export const clusterNetwork =
  (options: ClusterNetworkOptions): SimulatedNetwork =>
  (pod, addresses) =>
    networkOf(options, { address: addresses[0] ?? pod.status?.hostIP ?? '', pod });

/** The same network as any source sees it, also from outside the pods. */
export function networkOf(options: ClusterNetworkOptions, from: FlowEnd): RoutedNetwork {
  const { client, judge = everythingPasses, router = noServices } = options;
  const mayPass = async (flow: Omit<Flow, 'from'>): Promise<void> => {
    if (!(await judge({ from, ...flow }))) throw new NoResponse();
  };
  const askNameServer = () =>
    mayPass({
      to: { address: nameServerAddress, pod: nameServerPod },
      protocol: 'UDP',
      port: nameServerPort,
    });
  const serverAt = async ({ address, port }: Place, isSecure: boolean): Promise<HttpServer> =>
    serverIn(await podsAt(client, address), port, { isSecure, client: from.address }, options);
  const route = async (address: string, port: number): Promise<Place> => {
    const found = await router({ from, address, port });
    if (found.kind === 'refused') throw new NetworkFailure('Connection refused');
    if (found.kind === 'dropped') throw new NoResponse();
    return found.kind === 'endpoint' ? found : { address, port };
  };
  return {
    route,
    async lookUp(name) {
      if (name === 'localhost') return { name, addresses: ['127.0.0.1'] };
      if (parseIp(name) !== undefined) return { name, addresses: [name] };
      await askNameServer();
      const view = await readCluster(client);
      for (const full of searched(name.toLowerCase(), from.pod?.metadata?.namespace)) {
        const found = observedLookup(client.rest.observer, full, view);
        if (found.length > 0) return { name: full, addresses: found };
      }
      return undefined;
    },
    async namesOf(address) {
      await askNameServer();
      return namesOfAddress(address, await readCluster(client)).map((name) => `${name}.${domain}`);
    },
    async connect(address, port, isSecure = false) {
      if (address.startsWith('127.')) return serverAt({ address: from.address, port }, isSecure);
      const to = await route(address, port);
      const [there] = await podsAt(client, to.address);
      await mayPass({ to: { address: to.address, pod: there }, protocol: 'TCP', port: to.port });
      return serverAt(to, isSecure);
    },
  };
}

/** The names that a resolver queries, in order. */
function searched(name: string, namespace: string | undefined): readonly string[] {
  if (name.endsWith('.')) return [name.slice(0, -1)];
  const own = namespace === undefined ? [] : [`${namespace}.svc.${domain}`];
  const below = [...own, `svc.${domain}`, domain].map((suffix) => `${name}.${suffix}`);
  return name.split('.').length > dotsOfFullName ? [name, ...below] : [...below, name];
}

function observedLookup(observer: StepObserver | undefined, name: string, view: ClusterView) {
  const lookUp = (): readonly string[] => {
    const addresses = addressesOf(name, view);
    observer?.note?.({ addresses });
    return addresses;
  };
  return runStep(observer, here`lookup`, lookUp, observer && { name }, addressesOf);
}

/** Addresses of a fully qualified name. An alias is followed once, and never outside the cluster. */
function addressesOf(name: string, view: ClusterView, isAlias = false): readonly string[] {
  if (!isWithin(name, domain)) return [];
  const request = parseName(name, domain);
  const targets = request === undefined ? [] : (findTargets(request, view) ?? []);
  const found = targets.flatMap(({ host }) =>
    parseIp(host) !== undefined ? [host] : isAlias ? [] : addressesOf(host, view, true),
  );
  return [...new Set(found)];
}

/** The running pods with that address; several share the address of their node. */
async function podsAt(client: KubeClient, address: string): Promise<readonly Pod[]> {
  const { items } = await client
    .resource<Pod & KubeObject>('v1', 'pods')
    .list({ fieldSelector: `status.podIP=${address}` });
  return items.filter(({ status }) => status?.phase === 'Running');
}

/** @throws NetworkFailure */
function serverIn(
  pods: readonly Pod[],
  port: number,
  { isSecure, client }: { readonly isSecure: boolean; readonly client: string },
  { findProgram = noPrograms, onRequest = () => undefined }: ClusterNetworkOptions,
): HttpServer {
  if (pods.length === 0) throw new NetworkFailure('Host is unreachable');
  for (const pod of pods)
    for (const { name } of runningContainers(pod)) {
      const program = findProgram(pod, name);
      const container = pod.spec?.containers.find((one) => one.name === name);
      const isListening =
        program?.listensOn(port) ?? (container !== undefined && listensOn(pod, container, port));
      if (!isListening) continue;
      if (isSecure && program?.speaksTls !== true) throw new NetworkFailure(withoutTls(pod, container));
      const serve = program === undefined ? pageServer(pod, name, port) : program.server(port, client);
      return (request) => {
        onRequest(pod, name);
        return serve(request);
      };
    }
  throw new NetworkFailure('Connection refused');
}

const withoutTls = ({ metadata }: Pod, { image = '' }: Partial<Container> = {}): string =>
  `pod ${metadata?.namespace}/${metadata?.name} is simulated, and no program that speaks TLS is defined for its image ${goQuote(image)}`;

/** Includes sidecars, whose init containers keep running. */
const runningContainers = ({ status }: Pod) =>
  [...(status?.containerStatuses ?? []), ...(status?.initContainerStatuses ?? [])].filter(
    ({ state }) => state?.running !== undefined,
  );
