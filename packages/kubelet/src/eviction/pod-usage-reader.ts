/** Reads the resource usage of pods: from the runtime, and from the directories of their volumes and logs. */
import path from 'node:path';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { Clock } from '@coxswain/apimachinery';
import type { Decoded } from '@coxswain/protobuf';
import { containerNameLabel, podUidLabel } from '../containers/labels.ts';
import { podLogDirectory, volumeDirectory, type KubeletDirectories } from '../pod-paths.ts';
import type { Cri } from '../cri/cri-client.ts';
import type { ContainerStats } from '../cri/image-messages.ts';
import { recordOf } from '../cri/shared-messages.ts';
import { diskUsage, type DiskUse } from '../volumes/disk-usage.ts';
import type { ContainerUse, PodUse } from './pod-usage.ts';

export interface PodUsageReaderOptions {
  readonly cri: Cri;
  readonly clock: Clock;
  readonly directories: KubeletDirectories;
  /** How long the size of a volume remains cached, since walking through all its files takes time. */
  readonly volumesEveryMs: number;
}

type Stats = Decoded<typeof ContainerStats>;

export class PodUsageReader {
  readonly #options: PodUsageReaderOptions;
  readonly #volumes = new Map<
    string,
    { readonly atMs: number; readonly uses: ReadonlyMap<string, DiskUse> }
  >();

  constructor(options: PodUsageReaderOptions) {
    this.#options = options;
  }

  /** By uid; pods without statistics from the runtime are omitted. @throws the runtime's error */
  async read(pods: readonly Pod[]): Promise<ReadonlyMap<string, PodUse>> {
    const { cri } = this.#options;
    const [{ stats }, sandboxes] = await Promise.all([
      cri.listContainerStats({}),
      cri.listPodSandboxStats({}).catch(() => ({ stats: [] })),
    ]);
    const byPod = Map.groupBy(
      stats,
      ({ attributes }) => recordOf(attributes?.labels ?? [])[podUidLabel] ?? '',
    );
    const sandboxByPod = new Map(sandboxes.stats.map((each) => [each.attributes?.metadata?.uid ?? '', each]));
    this.#forgetOthers(pods);
    const uses = new Map<string, PodUse>();
    for (const pod of pods) {
      const uid = pod.metadata?.uid ?? '';
      const own = byPod.get(uid);
      if (own === undefined) continue;
      const { memory, process } = sandboxByPod.get(uid)?.linux ?? {};
      const containers = await Promise.all(own.map((each) => this.#containerUse(pod, each)));
      const ofContainers = containers.reduce((sum, { memoryBytes = 0 }) => sum + memoryBytes, 0);
      uses.set(uid, {
        memoryBytes: memory?.workingSetBytes?.value ?? ofContainers,
        processes: process?.processCount?.value ?? 0,
        containers,
        volumes: await this.#volumeUses(pod, uid),
      });
    }
    return uses;
  }

  async #containerUse(pod: Pod, { attributes, memory, writableLayer }: Stats): Promise<ContainerUse> {
    const name = recordOf(attributes?.labels ?? [])[containerNameLabel] ?? '';
    return {
      name,
      memoryBytes: memory?.workingSetBytes?.value,
      writable: writableLayer && {
        bytes: writableLayer.usedBytes?.value ?? 0,
        inodes: writableLayer.inodesUsed?.value ?? 0,
      },
      logs: await diskUsage(path.join(podLogDirectory(this.#options.directories, pod), name)),
    };
  }

  async #volumeUses(pod: Pod, uid: string): Promise<ReadonlyMap<string, DiskUse>> {
    const { clock, directories, volumesEveryMs } = this.#options;
    const known = this.#volumes.get(uid);
    if (known !== undefined && clock.monotonic() - known.atMs < volumesEveryMs) return known.uses;
    const uses = new Map<string, DiskUse>();
    for (const { name, emptyDir, configMap } of pod.spec?.volumes ?? []) {
      const plugin = emptyDir ? 'kubernetes.io/empty-dir' : configMap ? 'kubernetes.io/configmap' : undefined;
      if (plugin !== undefined)
        uses.set(name, await diskUsage(volumeDirectory(directories, uid, plugin, name)));
    }
    this.#volumes.set(uid, { atMs: clock.monotonic(), uses });
    return uses;
  }

  #forgetOthers(pods: readonly Pod[]): void {
    const uids = new Set(pods.map(({ metadata }) => metadata?.uid ?? ''));
    for (const uid of this.#volumes.keys()) if (!uids.has(uid)) this.#volumes.delete(uid);
  }
}
