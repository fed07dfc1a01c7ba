/** The DNS server of the all-in-one, for clusters whose pods are real and therefore query it. */
import { readFile } from 'node:fs/promises';
import type { Clock, Random, StepObserver } from '@coxswain/apimachinery';
import type { InformerFactory, KubeClient } from '@coxswain/client';
import type { Component } from '../components/components.ts';
import { publishNameServer } from './dns-objects.ts';

export interface ClusterNamesOptions {
  /** An address of this machine that pods can reach. */
  readonly address: string;
  /** Defaults to any free port: pods query the Service, which knows it. */
  readonly port?: number;
  /** The cluster IP of the Service kube-dns. */
  readonly clusterIp: string;
  /** The file that lists the servers to forward other queries to. Defaults to `/etc/resolv.conf`. */
  readonly resolvConf?: string;
}

export interface ClusterNamesParts {
  readonly clientUntil: (signal: AbortSignal) => KubeClient;
  readonly informersUntil: (signal: AbortSignal) => InformerFactory;
  readonly clock: Clock;
  readonly random: Random;
  readonly observer: StepObserver | undefined;
  readonly onError: (error: unknown) => void;
}

const dnsPort = 53;

/** Loaded only if the cluster serves DNS. */
export const clusterNamesComponent = (
  options: ClusterNamesOptions | undefined,
  parts: ClusterNamesParts,
): readonly Component[] =>
  options === undefined
    ? []
    : [
        {
          name: 'dns',
          start(until) {
            // A cluster without DNS is more useful than no cluster.
            const started = serveNames(options, parts, until).catch(parts.onError);
            return { ready: started, stopped: started.then((running) => running?.stopped) };
          },
        },
      ];

async function serveNames(
  { address, port = 0, clusterIp, resolvConf = '/etc/resolv.conf' }: ClusterNamesOptions,
  { clientUntil, informersUntil, clock, random, observer, onError }: ClusterNamesParts,
  signal: AbortSignal,
) {
  const { startClusterDns, nameserversOf } = await import('@coxswain/cluster-dns');
  const upstream = nameserversOf(await readFile(resolvConf, 'utf8').catch(() => ''));
  const client = clientUntil(signal);
  const running = await startClusterDns({
    client,
    informers: informersUntil(signal),
    listen: { host: address, port },
    upstream: upstream.map((server) => ({ address: server, port: dnsPort })),
    signal,
    clock,
    random,
    observer,
    onError,
  });
  await publishNameServer(client, { clusterIp, address, port: running.address.port }).catch(onError);
  return running;
}
