import { badRequest } from '@coxswain/apimachinery';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';

/** The container of a stream: the requested one, or the only one. @throws StatusError 400 */
export function chooseContainer({ metadata, spec }: Pod, wanted: string): string {
  const { containers = [], initContainers = [], ephemeralContainers = [] } = spec;
  const names = [...initContainers, ...containers, ...ephemeralContainers].map(({ name }) => name);
  if (wanted !== '') {
    if (names.includes(wanted)) return wanted;
    throw badRequest(`container ${wanted} is not valid for pod ${metadata.name}`);
  }
  if (containers.length === 1) return containers[0]!.name;
  const demand = `a container name must be specified for pod ${metadata.name}`;
  throw badRequest(containers.length === 0 ? demand : `${demand}, choose one of: [${names.join(' ')}]`);
}
