/** The service proxy (kube-proxy) of this machine, for real pods. */
import type { Clock } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import type { InformerFactory, KubeClient } from '@coxswain/client';
import type { Component } from '../components/components.ts';

export interface NodeProxyOptions {
  /** The machine's name as a node. */
  readonly nodeName: string;
  /** The address at which node ports answer. Defaults to that of the Node object, once it is known. */
  readonly address?: string;
  /** The range of its pods' addresses. Defaults to that of the Node object, once it is known. */
  readonly podCidr?: string;
  /** Whether the rules are removed with the cluster; otherwise they remain for the next start. */
  readonly endsRules?: boolean;
}

export interface NodeProxyParts {
  readonly clientUntil: (signal: AbortSignal) => KubeClient;
  /** Defaults to informers of its own. */
  readonly informersUntil?: (signal: AbortSignal) => InformerFactory;
  readonly clock: Clock;
  readonly log: (line: string) => void;
}

/** Loaded only if this machine has a service proxy. */
export const nodeProxyComponent = (
  options: NodeProxyOptions | undefined,
  parts: NodeProxyParts,
): readonly Component[] =>
  options === undefined
    ? []
    : [
        {
          name: 'proxy',
          start(until) {
            // A cluster without working services is more useful than no cluster.
            const started = startProxy(options, parts, until).catch((error: unknown) => {
              if (!until.aborted) parts.log(`proxy: ${messageOf(error)}`);
            });
            // Waiting for readiness here could block on other components of this process.
            const isKnown = options.address !== undefined && options.podCidr !== undefined;
            return {
              ready: isKnown ? started.then((running) => running?.synced) : Promise.resolve(),
              stopped: started.then((running) => running?.stopped),
            };
          },
        },
      ];

async function startProxy(
  { nodeName, address, podCidr, endsRules = false }: NodeProxyOptions,
  { clientUntil, informersUntil, clock, log }: NodeProxyParts,
  signal: AbortSignal,
) {
  const [{ runNodeProxy, defaultProxySettings, removeTables }, { runNft }] = await Promise.all([
    import('@coxswain/kube-proxy'),
    import('@coxswain/nftables'),
  ]);
  const running = await runNodeProxy({
    client: clientUntil(signal),
    ...(informersUntil === undefined ? {} : { informers: informersUntil(signal) }),
    nodeName,
    clock,
    signal,
    isProgram: false,
    settings: {
      ...defaultProxySettings,
      mode: 'nftables',
      detectLocalMode: 'NodeCIDR',
    },
    ...(address !== undefined && podCidr !== undefined
      ? { node: { ips: { [address.includes(':') ? 'IPv6' : 'IPv4']: address }, podCidrs: [podCidr] } }
      : {}),
    log: (line) => log(`proxy: ${line}`),
  });
  const stopped = running.stopped.then(() => (endsRules ? removeTables(runNft).catch(() => {}) : undefined));
  return { synced: running.synced, stopped };
}
