/**
 * Detects which features this server has besides Kubernetes. Pages that need them are hidden if they are missing or the
 * user lacks access.
 */

import type { Transport } from '@coxswain/client';
import { recordingPath } from '../trace/recording-paths.ts';

export interface Extras {
  /** Whether it is a test cluster, whose clock, faults and nodes can be controlled. */
  readonly isTestCluster: boolean;
  /** Whether recordings of it can be made. */
  readonly canRecord: boolean;
  /** Distinguishes clusters with the same name and address. Empty if the user may not know it. */
  readonly clusterId: string;
}

/** The page shows nothing until it knows, so this is the limit. */
const askedMsMax = 2000;

export async function extrasOf(transport: Transport): Promise<Extras> {
  const [seed, recording, system] = await Promise.all([
    ask(transport, '/coxswain/v1/seed'),
    // Only a server with recordings reports that this one does not exist.
    ask(transport, `${recordingPath}/none`),
    ask(transport, '/api/v1/namespaces/kube-system'),
  ]);
  return {
    isTestCluster: seed.status === 200 && seed.text.includes('"seed"'),
    canRecord: recording.status === 404 && recording.text.includes('recording \\"none\\" not found'),
    // The namespace that every cluster has. Whatever else answers has no UID.
    clusterId: (system.status === 200 && /"uid": ?"([^"]+)"/.exec(system.text)?.[1]) || '',
  };
}

async function ask(
  transport: Transport,
  path: string,
): Promise<{ readonly status: number; readonly text: string }> {
  try {
    const signal = AbortSignal.timeout(askedMsMax);
    const answer = await transport.send({
      method: 'GET',
      path,
      headers: { accept: 'application/json', 'user-agent': 'coxswain-ui' },
      signal,
    });
    return { status: answer.status, text: new TextDecoder().decode(await answer.bytes()) };
  } catch {
    return { status: 0, text: '' };
  }
}
