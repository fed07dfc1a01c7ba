/** What simulated pods read from the API before they start: configuration and volume claims. */
import type { PersistentVolumeClaim } from '@coxswain/api/core/v1/persistent-volume-claim.ts';
import type { Container } from '@coxswain/api/core/v1/container.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { Service } from '@coxswain/api/core/v1/service.ts';
import { notFound } from '@coxswain/apimachinery';
import { serviceVariables } from '@coxswain/kubelet/pod/service-variables.ts';
import { containerEnvironment } from '@coxswain/kubelet/pod/environment.ts';
import type { NodeFacts } from '@coxswain/kubelet/pod/downward-api.ts';
import { RuntimeFailure } from '@coxswain/kubelet/runtime.ts';
import type { ContentSources } from '@coxswain/kubelet/volumes/volume-content.ts';

export interface PodSources extends Pick<ContentSources, 'configMap' | 'secret' | 'token'> {
  /** @throws StatusError 404 */
  claim(namespace: string, name: string): Promise<PersistentVolumeClaim>;
}

/** The sources of an empty cluster. */
export const noSources: PodSources = {
  configMap: async (_namespace, name) => Promise.reject(notFound({ group: '', resource: 'configmap' }, name)),
  secret: async (_namespace, name) => Promise.reject(notFound({ group: '', resource: 'secret' }, name)),
  token: async () => '',
  claim: async (_namespace, name) =>
    Promise.reject(notFound({ group: '', resource: 'persistentvolumeclaims' }, name)),
};

/** Tokens are placeholder files: programs that do not run need no signed ones. */
export const simulatedSources = (sources: PodSources): PodSources => ({
  configMap: (...asked) => sources.configMap(...asked),
  secret: (...asked) => sources.secret(...asked),
  claim: (...asked) => sources.claim(...asked),
  token: async () => 'simulated',
});

/** For the variables and volumes of containers. */
export const contentSources = (sources: PodSources, facts: NodeFacts): ContentSources => ({
  configMap: (...asked) => sources.configMap(...asked),
  secret: (...asked) => sources.secret(...asked),
  token: (...asked) => sources.token(...asked),
  facts: () => facts,
});

/**
 * @param services those that existed when the container started
 * @throws Error, in upstream's words, if an object that is not optional is missing
 */
export function environment(
  pod: Pod,
  container: Container,
  sources: ContentSources,
  services: readonly Service[],
): Promise<ReadonlyMap<string, string>> {
  const uid = pod.metadata?.uid ?? '';
  return containerEnvironment(pod, container, {
    configMap: async (namespace, name) => (await sources.configMap(namespace, name, uid)).data ?? {},
    secret: async (namespace, name) =>
      Object.fromEntries(
        Object.entries((await sources.secret(namespace, name, uid)).data ?? {}).map(([key, text]) => [
          key,
          Uint8Array.fromBase64(text),
        ]),
      ),
    serviceVariables: serviceVariables(
      services,
      pod.metadata?.namespace ?? '',
      pod.spec?.enableServiceLinks ?? true,
    ),
    facts: sources.facts(pod),
  });
}

/**
 * Waits for the objects that a container's variables refer to.
 * @returns undefined if there are no references
 */
export function environmentReady(
  pod: Pod,
  container: Container,
  sources: PodSources,
): Promise<void> | undefined {
  const refers =
    container.envFrom !== undefined ||
    container.env?.some(({ valueFrom }) => valueFrom?.configMapKeyRef ?? valueFrom?.secretKeyRef) === true;
  if (!refers) return undefined;
  const content = contentSources(sources, { hostIps: [], podIps: [], allocatable: {} });
  return environment(pod, container, content, []).then(
    () => undefined,
    (error: Error) => Promise.reject(new RuntimeFailure('CreateContainerConfigError', error.message)),
  );
}
