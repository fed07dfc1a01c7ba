/** Selects containers of a pod. */
import type * as core from '@coxswain/api/core/v1/index.ts';
import type { Live } from '@coxswain/apimachinery';

interface Named {
  readonly name: string;
}

export type Pod = Live<core.Pod>;

const defaultContainerAnnotation = 'kubectl.kubernetes.io/default-container';

const names = (containers: readonly Named[] = []): string[] => containers.map(({ name }) => name);

/** The format of messages: `a, b, e (ephem), i (init)`. */
function described({ spec }: Pod): string {
  return [
    ...names(spec?.containers),
    ...names(spec?.ephemeralContainers).map((name) => `${name} (ephem)`),
    ...names(spec?.initContainers).map((name) => `${name} (init)`),
  ].join(', ');
}

/** In the order in which they run. */
export const allContainers = ({ spec }: Pod): string[] => [
  ...names(spec?.initContainers),
  ...names(spec?.containers),
  ...names(spec?.ephemeralContainers),
];

/**
 * Selects a container for a session: like for logs, but an invalid default container is an error.
 * @throws Error if the pod has no container of that name
 */
export const chooseSessionContainer = (pod: Pod, wanted: string, report: (message: string) => void): string =>
  chooseContainer(pod, wanted || (pod.metadata.annotations?.[defaultContainerAnnotation] ?? ''), report);

/**
 * Returns the container of that name, or the default one if the name is empty.
 * @throws Error if the pod has no container of that name
 */
export function chooseContainer(pod: Pod, wanted: string, report: (message: string) => void): string {
  const all = allContainers(pod);
  if (wanted !== '') {
    if (all.includes(wanted)) return wanted;
    throw new Error(
      `container ${wanted} is not valid for pod ${pod.metadata.name ?? ''} out of: ${described(pod)}`,
    );
  }
  const annotated = pod.metadata.annotations?.[defaultContainerAnnotation] ?? '';
  if (annotated !== '' && all.includes(annotated)) return annotated;
  const first = names(pod.spec?.containers)[0] ?? '';
  if (annotated !== '')
    report(`Default container name "${annotated}" not found in pod ${pod.metadata.name ?? ''}\n`);
  if (all.length > 1) report(`Defaulted container "${first}" out of: ${described(pod)}\n`);
  return first;
}
