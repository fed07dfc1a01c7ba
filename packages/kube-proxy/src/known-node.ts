/** What the rules of a node depend on: its addresses and the ranges of its pods. */
import { isStatusError, type Clock, type KubeObject } from '@coxswain/apimachinery';
import type { KubeClient } from '@coxswain/client';
import { nodeIpsOf, withBindAddress } from './machine/node-addresses.ts';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import type { ProxySettings } from './config/proxy-configuration.ts';
import type { KnownNode, NodeProxyOptions } from './node-proxy-options.ts';

const nodes = { group: '', version: 'v1', resource: 'nodes' } as const;
/** As long as the original waits for a node to be registered with its addresses. */
const nodeWaitMsMax = 30_000;
const podCidrWaitMsMax = 300_000;
const nodeLookMs = 1_000;

interface SeenNode extends KubeObject {
  readonly spec?: { readonly podCIDR?: string; readonly podCIDRs?: readonly string[] };
}

export const knownOf = (node: SeenNode | undefined, { bindAddress }: ProxySettings): KnownNode => ({
  ips: withBindAddress(nodeIpsOf(node), bindAddress),
  podCidrs: podCidrsOf(node),
});

const podCidrsOf = (node: SeenNode | undefined): readonly string[] =>
  node?.spec?.podCIDRs ?? (node?.spec?.podCIDR === undefined ? [] : [node.spec.podCIDR]);

/** Without the node nothing is known but what was configured: after a while the proxy works nevertheless. */
export async function waitForNode(
  { client, nodeName, settings, signal, log }: NodeProxyOptions,
  clock: Clock,
): Promise<SeenNode | undefined> {
  const needsRange = settings.detectLocalMode === 'NodeCIDR';
  const untilMs = clock.monotonic() + (needsRange ? podCidrWaitMsMax : nodeWaitMsMax);
  for (;;) {
    const node = await findNode(client, nodeName, signal, log);
    const isKnown = Object.keys(nodeIpsOf(node)).length > 0 && (!needsRange || podCidrsOf(node).length > 0);
    if (isKnown || signal.aborted || settings.mode === 'userspace') return node;
    if (clock.monotonic() >= untilMs) {
      if (needsRange)
        throw new Error(
          node === undefined
            ? `timeout waiting for node "${nodeName}" to exist`
            : `timeout waiting for PodCIDR allocation on node "${nodeName}"`,
        );
      log(`node "${nodeName}" has no addresses yet; continuing without them`);
      return node;
    }
    await clock.sleep(nodeLookMs, signal).catch(() => {});
  }
}

async function findNode(
  client: KubeClient,
  nodeName: string,
  signal: AbortSignal,
  log: (text: string) => void,
): Promise<SeenNode | undefined> {
  try {
    return (await client.resource(nodes).get(nodeName, { signal })) as SeenNode;
  } catch (error) {
    if (!isStatusError(error, 'NotFound') && !signal.aborted) log(`node "${nodeName}": ${messageOf(error)}`);
    return undefined;
  }
}
