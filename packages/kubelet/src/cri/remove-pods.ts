import type { Clock } from '@coxswain/apimachinery';
import { ignoreNotFound } from './persist.ts';
import { connectCri } from './cri-client.ts';

/**
 * Stops and removes all pods of a runtime, whoever created them; pods that are removed concurrently count as removed.
 * @throws the runtime's error
 */
export async function removePods(endpoint: string, clock: Clock): Promise<void> {
  const cri = connectCri({ endpoint, clock });
  try {
    for (const { id } of (await cri.listPodSandbox({})).items) {
      await ignoreNotFound(cri.stopPodSandbox({ podSandboxId: id }));
      await ignoreNotFound(cri.removePodSandbox({ podSandboxId: id }));
    }
  } finally {
    cri.close();
  }
}
