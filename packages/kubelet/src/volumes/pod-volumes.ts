/**
 * The volumes of the node's pods: mounted before the first container starts, kept up to date, and unmounted after the
 * last.
 */
import { mkdir, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { Volume } from '@coxswain/api/core/v1/volume.ts';
import { runStep, type Clock, type StepObserver } from '@coxswain/apimachinery';
import { podDirectory, volumesDirectory, type KubeletDirectories } from '../pod-paths.ts';
import { mountsBelow, unmount } from './kernel-mounts.ts';
import { mountFailure, sourceOf, usedVolumes } from './mount-failure.ts';
import { growClaimed } from './persistent-volume.ts';
import { setUpVolume } from './set-up-volume.ts';
import type { VolumeContext } from './volume-context.ts';
import type { MountedVolume } from './mounted-volume.ts';
import { removeSubPaths } from './sub-path.ts';
import type { Payload } from './atomic-writer.ts';
import { comesFromApi, volumePayload } from './volume-content.ts';

export interface PodVolumesOptions extends Omit<VolumeContext, 'now'> {
  readonly observer?: StepObserver | undefined;
  readonly clock: Clock;
  readonly directories: KubeletDirectories;
  readonly onError: (error: unknown) => void;
}

interface PodEntry {
  pod: Pod;
  readonly mounted: Map<string, MountedVolume>;
  failures: number;
  /** Serializes work, so that a refresh never overlaps with removal. */
  work: Promise<void>;
}

export class PodVolumes {
  readonly #options: PodVolumesOptions;
  readonly #context: VolumeContext;
  readonly #pods = new Map<string, PodEntry>();

  constructor(options: PodVolumesOptions) {
    this.#options = options;
    this.#context = { ...options, now: () => options.clock.now() };
  }

  /** By name; only volumes that the pod's containers use. */
  of(uid: string): ReadonlyMap<string, MountedVolume> {
    return this.#pods.get(uid)?.mounted ?? new Map<string, MountedVolume>();
  }

  /** @throws RuntimeFailure `FailedMount` for the first volume that can't be mounted */
  async mount(pod: Pod): Promise<void> {
    const entry = this.#entry(pod);
    await this.#after(entry, () => this.#mountAll(entry));
  }

  /**
   * Resolves as soon as everything that the volumes are made from is available; `mounted` resolves when they are
   * mounted. The sandbox, which doesn't use them, can be created in the meantime.
   * @throws RuntimeFailure `FailedMount`, as `mounted` does
   */
  async begin(pod: Pod): Promise<{ readonly mounted: Promise<void> }> {
    const entry = this.#entry(pod);
    const certain = Promise.withResolvers<void>();
    const mounted = this.#after(entry, () => this.#mountAll(entry, certain.resolve));
    // Avoids an unhandled rejection if it is awaited later.
    mounted.catch(() => undefined);
    await Promise.race([mounted, certain.promise]);
    return { mounted };
  }

  /** Whether everything that the pod's containers use is mounted, so that another container can start. */
  hasAll(pod: Pod): boolean {
    const mounted = this.of(pod.metadata?.uid ?? '');
    return usedVolumes(pod).every(({ name }) => mounted.has(name));
  }

  /** Writes again what has changed in the API. */
  refresh(pod: Pod): void {
    const entry = this.#pods.get(pod.metadata?.uid ?? '');
    if (entry === undefined || !changesInPlace(entry, pod)) return;
    entry.pod = pod;
    this.#after(entry, () => this.#refreshAll(entry)).catch(this.#options.onError);
  }

  refreshAll(): void {
    for (const { pod } of this.#pods.values()) this.refresh(pod);
  }

  /** Removes all volumes of the pod, except what belongs to the node. */
  async unmount(uid: string): Promise<void> {
    const entry = this.#pods.get(uid);
    this.#pods.delete(uid);
    await entry?.work.catch(() => undefined);
    const { directories, csi } = this.#options;
    await removeSubPaths(path.join(podDirectory(directories, uid), 'volume-subpaths'));
    await csi?.unmountPod(uid);
    const volumes = volumesDirectory(directories, uid);
    for (const point of await mountsBelow(volumes)) await unmount(point);
    if ((await mountsBelow(volumes)).length > 0) throw new Error(`volumes of pod ${uid} are still mounted`);
    await rm(volumes, { recursive: true, force: true });
  }

  /** Returns the pods that have files on the node. */
  async podsOnDisk(): Promise<readonly string[]> {
    return readdir(path.join(this.#options.directories.root, 'pods')).catch(() => []);
  }

  #entry(pod: Pod): PodEntry {
    const uid = pod.metadata?.uid ?? '';
    let entry = this.#pods.get(uid);
    if (entry === undefined) {
      entry = { pod, mounted: new Map(), failures: 0, work: Promise.resolve() };
      this.#pods.set(uid, entry);
    }
    entry.pod = pod;
    return entry;
  }

  #after(entry: PodEntry, step: () => Promise<void>): Promise<void> {
    const next = entry.work.catch(() => undefined).then(step);
    entry.work = next;
    return next;
  }

  /** @param certain called when only local work remains, which is not expected to fail */
  async #mountAll(entry: PodEntry, certain?: () => void): Promise<void> {
    const { directories } = this.#options;
    const { pod, mounted } = entry;
    const uid = pod.metadata?.uid ?? '';
    const volumes = usedVolumes(pod);
    const contents = await this.#contents(entry, volumes);
    if (volumes.every(isMadeHere)) certain?.();
    await mkdir(volumesDirectory(directories, uid), { recursive: true, mode: 0o750 });
    await mkdir(path.join(podDirectory(directories, uid), 'plugins'), { recursive: true, mode: 0o750 });
    for (const volume of volumes) {
      const { name } = volume;
      const made = runStep(
        this.#options.observer,
        `volume/${name}`,
        () => setUpVolume(this.#context, pod, volume, mounted.get(name), contents.get(name)),
        { source: sourceOf(volume) },
      );
      mounted.set(name, await made.catch((error: unknown) => failMount(entry, volume, error)));
    }
    entry.failures = 0;
  }

  /** Reads contents from the API concurrently; an error names the first incomplete volume. */
  async #contents(entry: PodEntry, volumes: readonly Volume[]): Promise<ReadonlyMap<string, Payload>> {
    const fromApi = volumes.filter(comesFromApi);
    const read = await Promise.allSettled(
      fromApi.map((volume) => volumePayload(entry.pod, volume, this.#context.sources)),
    );
    return new Map(
      read.map((each, index) => {
        const volume = fromApi[index]!;
        return [
          volume.name,
          each.status === 'fulfilled' ? each.value : failMount(entry, volume, each.reason),
        ];
      }),
    );
  }

  async #refreshAll(entry: PodEntry): Promise<void> {
    for (const volume of usedVolumes(entry.pod)) {
      const before = entry.mounted.get(volume.name);
      if (before?.claim !== undefined)
        await growClaimed(this.#context, entry.pod, before.claim).catch(this.#options.onError);
      if (before === undefined || !(comesFromApi(volume) || before.isRepublished)) continue;
      entry.mounted.set(volume.name, await setUpVolume(this.#context, entry.pod, volume, before));
    }
  }
}

const changesInPlace = ({ mounted }: PodEntry, { spec }: Pod): boolean =>
  (spec?.volumes ?? []).some(comesFromApi) ||
  [...mounted.values()].some((each) => each.isRepublished || each.claim !== undefined);

/** Whether the volume needs nothing but the kernel, once its contents are known. */
const isMadeHere = (volume: Volume): boolean =>
  comesFromApi(volume) || (Boolean(volume.emptyDir) && !volume.emptyDir?.medium?.startsWith('HugePages'));

function failMount(entry: PodEntry, volume: Volume, error: unknown): never {
  throw mountFailure(volume, error, entry.failures++);
}
