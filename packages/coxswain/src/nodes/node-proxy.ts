/** The service proxy of this machine, where its pods are real. */
import type { Clock } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import type { InformerFactory, KubeClient } from '@coxswain/client';
import type { Component } from '../components/components.ts';

export interface NodeProxyOptions {
  /** The machine's name as a node. */
  readonly nodeName: string;
  /** Its address, where node ports answer; that of its Node object when absent, which is waited for. */
  readonly address?: string;
  /** Where its pods get addresses; that of its Node object when absent, which is waited for. */
  readonly podCidr?: string;
  /** Whether the rules end with the cluster; they stay for the next start when not. */
  readonly endsRules?: boolean;
}

export interface NodeProxyParts {
  readonly clientUntil: (signal: AbortSignal) => KubeClient;
  /** Own ones when absent. */
  readonly informersUntil?: (signal: AbortSignal) => InformerFactory;
  readonly clock: Clock;
  readonly log: (line: string) => void;
}

/** Loaded by those who have one only. */
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
            // A cluster whose services lead nowhere is of more use than none.
            const started = startProxy(options, parts, until).catch((error: unknown) => {
              if (!until.aborted) parts.log(`proxy: ${messageOf(error)}`);
            });
            // What is waited for may need others of these components.
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
