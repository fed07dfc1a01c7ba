import type { Clock } from '@coxswain/apimachinery';
import { connectCri } from './cri-client.ts';

/** Stops and removes all pods that a runtime knows, whoever made them. @throws the runtime's error */
export async function removePods(endpoint: string, clock: Clock): Promise<void> {
  const cri = connectCri({ endpoint, clock });
  try {
    for (const { id } of (await cri.listPodSandbox({})).items) {
      await cri.stopPodSandbox({ podSandboxId: id });
      await cri.removePodSandbox({ podSandboxId: id });
    }
  } finally {
    cri.close();
  }
}
