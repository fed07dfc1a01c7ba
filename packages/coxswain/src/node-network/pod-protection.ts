/** Enforces network policies for the pods of this machine in its packet filter. */
import type { Clock, Random } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import type { KubeClient } from '@coxswain/client';
import type { RunningNetworkPolicies } from '@coxswain/network-policy';

export interface PodProtectionOptions {
  readonly client: KubeClient;
  readonly nodeName: string;
  /** The table in the packet filter. */
  readonly tableName: string;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: (line: string) => void;
}

/** Resolves when policies are in effect, or with undefined if there is nothing to enforce them with. */
export async function startPodProtection(
  options: PodProtectionOptions,
): Promise<RunningNetworkPolicies | undefined> {
  const { client, nodeName, tableName, signal, clock, random, log } = options;
  const [{ NftTable, startNetworkPolicies }, { whyNoNftables }] = await Promise.all([
    import('@coxswain/network-policy'),
    import('@coxswain/nftables'),
  ]);
  const why = await whyNoNftables();
  if (why !== undefined) {
    log(`network policies are not enforced on this machine: ${why}`);
    return undefined;
  }
  const running = startNetworkPolicies({
    client,
    nodeName,
    table: new NftTable({ name: tableName }),
    signal,
    clock,
    random,
    onError(error) {
      if (!signal.aborted) log(`network policies: ${messageOf(error)}`);
    },
  });
  await Promise.race([running.synced, running.stopped]);
  return running;
}
