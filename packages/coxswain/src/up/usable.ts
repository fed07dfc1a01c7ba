/** `coxswain up --wait`: waits until pods can be created and scheduled. */

import type { Node } from '@coxswain/api/core/v1/node.ts';
import type { ServiceAccount } from '@coxswain/api/core/v1/service-account.ts';
import type { Clock } from '@coxswain/apimachinery';
import type { KubeClient } from '@coxswain/client';

const lookMs = 25;
/** A start takes less than a second, but a real node may have to wait for its network. */
const waitMsMax = 120_000;

export interface Wanted {
  /** The required number of nodes. */
  readonly nodes: number;
  /** Whether a controller creates the service accounts that pods need. */
  readonly accounts: boolean;
}

/** Resolves early if the signal aborts. @throws Error naming what is missing after two minutes */
export async function usable(
  client: KubeClient,
  wanted: Wanted,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  const startMs = clock.monotonic();
  for (;;) {
    const missing = await missingIn(client, wanted);
    if (missing === undefined || signal.aborted) return;
    if (clock.monotonic() - startMs > waitMsMax)
      throw new Error(`the cluster is not ready for pods after ${waitMsMax / 1000} s: ${missing}`);
    await clock.sleep(lookMs, signal).catch(() => undefined);
  }
}

async function missingIn(client: KubeClient, { nodes, accounts }: Wanted): Promise<string | undefined> {
  const { items } = await client.resource<Node>('v1', 'nodes').list();
  const ready = items.filter(({ status }) =>
    status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True'),
  );
  if (ready.length < nodes) return `${ready.length} of ${nodes} nodes are ready`;
  if (!accounts) return undefined;
  const found = await client.resource<ServiceAccount>('v1', 'serviceaccounts').namespace('default').list();
  if (found.items.some(({ metadata }) => metadata.name === 'default')) return undefined;
  return 'the namespace default has no service account';
}
