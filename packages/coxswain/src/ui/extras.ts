/** What a server of ours has besides Kubernetes. Pages that need it are hidden where it is not, or where the user may not. */

import type { Transport } from '@coxswain/client';
import { recordingPath } from '../trace/recording-paths.ts';

export interface Extras {
  /** It is a test cluster: its clock, faults and nodes can be controlled. */
  readonly isTestCluster: boolean;
  /** Recordings can be made of it. */
  readonly canRecord: boolean;
}

/** The page shows nothing before it knows. */
const askedMsMax = 2000;

export async function extrasOf(transport: Transport): Promise<Extras> {
  const [seed, recording] = await Promise.all([
    ask(transport, '/coxswain/v1/seed'),
    // There is none of this name, which only a server with recordings says so.
    ask(transport, `${recordingPath}/none`),
  ]);
  return {
    isTestCluster: seed.status === 200 && seed.text.includes('"seed"'),
    canRecord: recording.status === 404 && recording.text.includes('recording \\"none\\" not found'),
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
