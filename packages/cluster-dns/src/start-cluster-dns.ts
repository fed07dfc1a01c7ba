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
  /** `cluster.local` when absent. */
  readonly domain?: string;
  /** Who is asked about everything else. This server itself is left out. */
  readonly upstream?: readonly UpstreamServer[];
  readonly signal: AbortSignal;
  readonly clock?: Clock;
  readonly random?: Random;
  /** Shared with other components of the process, and started by whoever made it; own ones when absent. */
  readonly informers?: InformerFactory;
  readonly onError?: (error: unknown) => void;
  /** Sees each question as a request. */
  readonly observer?: StepObserver | undefined;
}

export interface RunningClusterDns {
  /** Where it answers. */
  readonly address: ListenAddress;
  /** Resolves when everything has stopped after the signal. */
  readonly stopped: Promise<void>;
}

/**
 * Resolves when the cluster's services are known and questions are answered.
 * @throws the system's error when the address cannot be listened on
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
  // An address that cannot be had is told at once; before the names are known, clients are left to ask again.
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
