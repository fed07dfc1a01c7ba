/** The Secrets with which a pod's images are pulled. */
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { PodEvent } from '../pod/pod-worker-context.ts';
import type { ApiSources } from '../volumes/api-sources.ts';

/** Returns existing Secrets; missing ones are reported in an event. */
export async function pullSecretsOf(
  pod: Pod,
  sources: ApiSources,
  event: (pod: Pod, reported: PodEvent) => void,
) {
  const names = (pod.spec?.imagePullSecrets ?? []).map(({ name }) => name ?? '').filter(Boolean);
  const namespace = pod.metadata?.namespace ?? '';
  const found = await Promise.all(names.map((name) => sources.secret(namespace, name).catch(() => name)));
  const missing = found.filter((each) => typeof each === 'string');
  if (missing.length > 0) {
    const message = `Unable to retrieve some image pull secrets (${missing.join(', ')}); attempting to pull the image may not succeed.`;
    event(pod, { type: 'Warning', reason: 'FailedToRetrieveImagePullSecret', message });
  }
  return found.filter((each) => typeof each !== 'string');
}
