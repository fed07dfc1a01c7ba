/** The resource usage of a pod. */
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { parseQuantity, quantityValue } from '@coxswain/apimachinery';
import { requestsOf } from '../node/admit.ts';
import type { DiskUse } from '../volumes/disk-usage.ts';

export interface ContainerUse {
  readonly name: string;
  readonly memoryBytes: number | undefined;
  /** The writable layer above its image. */
  readonly writable: DiskUse | undefined;
  readonly logs: DiskUse | undefined;
}

export interface PodUse {
  readonly memoryBytes: number;
  readonly processes: number;
  readonly containers: readonly ContainerUse[];
  /** Local volumes by name. */
  readonly volumes: ReadonlyMap<string, DiskUse>;
}

/** The parts of a pod's usage that are stored on a file system. */
export type DiskPart = 'writable' | 'logs' | 'volumes';

/** Reports whether a volume is stored on the node's disk. */
const isLocalVolume = (volume: NonNullable<NonNullable<Pod['spec']>['volumes']>[number]): boolean =>
  Boolean(volume.hostPath ?? volume.configMap) ||
  (volume.emptyDir !== undefined && volume.emptyDir !== null && !volume.emptyDir.medium);

export function diskUse(pod: Pod, use: PodUse, parts: readonly DiskPart[]): DiskUse {
  const ofContainers = use.containers.flatMap(({ writable, logs }) => [
    ...(parts.includes('writable') ? [writable] : []),
    ...(parts.includes('logs') ? [logs] : []),
  ]);
  const ofVolumes = parts.includes('volumes')
    ? (pod.spec?.volumes ?? []).filter(isLocalVolume).map(({ name }) => use.volumes.get(name))
    : [];
  return [...ofContainers, ...ofVolumes].reduce<DiskUse>(
    (sum, each) => ({ bytes: sum.bytes + (each?.bytes ?? 0), inodes: sum.inodes + (each?.inodes ?? 0) }),
    { bytes: 0, inodes: 0 },
  );
}

/** Bytes; 0 without a request. */
export const requestOf = (pod: Pod, resource: string): number => requestsOf(pod).get(resource) ?? 0;

/** Bytes; undefined if there is none. */
export const amountIn = (
  list: Readonly<Record<string, string>> | null | undefined,
  resource: string,
): number | undefined => {
  const text = list?.[resource];
  return text === undefined ? undefined : quantityValue(parseQuantity(text));
};
