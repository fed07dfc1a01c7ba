import { randomInt } from 'node:crypto';
import { networkInterfaces } from 'node:os';
import {
  aborted,
  systemClock,
  systemRandom,
  type Clock,
  type Random,
  type StepObserver,
} from '@coxswain/apimachinery';
import { InformerFactory, type KubeClient } from '@coxswain/client';
import { responder } from './respond.ts';
import { listen, type ListenAddress, type Respond } from './serving/listen.ts';
import { cachedAnswers } from './upstream/answer-cache.ts';
import { exchangeOverTcp, exchangeOverUdp } from './upstream/exchange.ts';
import { forwarder, type UpstreamServer } from './upstream/forwarder.ts';
import { watchCluster } from './zone/cluster-view.ts';

export interface StartClusterDnsOptions {
  readonly client: KubeClient;
  readonly listen: ListenAddress;
  /** Defaults to `cluster.local`. */
  readonly domain?: string;
  /** The servers for all other names. This server itself is skipped. */
  readonly upstream?: readonly UpstreamServer[];
  readonly signal: AbortSignal;
  readonly clock?: Clock;
  readonly random?: Random;
  /** Shared with other components of the process, and started by the caller. Own informers if unset. */
  readonly informers?: InformerFactory;
  readonly onError?: (error: unknown) => void;
  /** Observes each query as a request. */
  readonly observer?: StepObserver | undefined;
}

export interface RunningClusterDns {
  /** The address of the server. */
  readonly address: ListenAddress;
  /** Resolves when everything has stopped after the signal. */
  readonly stopped: Promise<void>;
}

/**
 * Resolves when the cluster's services are known and queries are answered.
 * @throws the system's error if the address cannot be bound
 */
export async function startClusterDns(options: StartClusterDnsOptions): Promise<RunningClusterDns> {
  const { client, signal, clock = systemClock, random = systemRandom, domain = 'cluster.local' } = options;
  const onError = options.onError ?? (() => {});
  const informers = options.informers ?? new InformerFactory({ client, clock, random, onError });
  const view = watchCluster(informers);
  if (options.informers === undefined) informers.start(signal);
  const isOwn = ({ address, port }: UpstreamServer): boolean =>
    port === options.listen.port && (address === options.listen.host || isAnyAddress(options.listen.host));
  const servers = (options.upstream ?? []).filter((server) => !isOwn(server));
  const ask = forwarder({
    servers,
    random,
    newId: () => randomInt(0x1_0000),
    overUdp: exchangeOverUdp,
    overTcp: exchangeOverTcp,
  });
  const zone = {
    domain,
    view,
    ownAddresses: ownAddresses(options.listen.host),
    resolve: cachedAnswers(ask, clock),
  };
  // An address that is not available fails at once. Until the names are known, clients have to retry.
  let respond: Respond = () => Promise.resolve(undefined);
  const listener = await listen((query, isUdp) => respond(query, isUdp), options.listen);
  await view.synced;
  respond = responder(zone, random, onError, options.observer);
  return { address: listener.address, stopped: aborted(signal).then(() => listener.close()) };
}

const isAnyAddress = (host: string): boolean => host === '0.0.0.0' || host === '::';

function ownAddresses(host: string): readonly string[] {
  if (!isAnyAddress(host)) return [host];
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return all.filter(({ internal }) => !internal).map(({ address }) => address);
}
