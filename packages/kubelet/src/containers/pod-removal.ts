/** Removes what is left of pods: containers, sandboxes, logs, volumes, files. */
import { rm } from 'node:fs/promises';
import type { PodCgroups } from '../cgroups/pod-cgroups.ts';
import { ContainerState } from '../cri/container-messages.ts';
import type { Cri } from '../cri/cri-client.ts';
import { rotatedFiles } from '../garbage/log-rotation.ts';
import type { PodVolumes } from '../volumes/pod-volumes.ts';
import { podUidLabel } from './labels.ts';
import type { LiveContainers } from './live-containers.ts';
import { ignoreNotFound, persist, type Persistence } from '../cri/persist.ts';
import { containerLogLink, podDirectory, type KubeletDirectories } from '../pod-paths.ts';
import { isReady, podUidOf, type Relist } from './relist.ts';

export interface PodRemovalOptions extends Persistence {
  readonly cri: Cri;
  readonly directories: KubeletDirectories;
  readonly volumes: PodVolumes;
  readonly cgroups: PodCgroups;
  readonly live: LiveContainers;
  readonly relist: Relist;
  readonly run: (work: Promise<unknown>) => void;
}

/** The minimum time for a container to stop by itself, whatever its pod specifies; upstream's value. */
export const stopSecondsMin = 2;

/** Added to a container's grace period as a timeout. */
export const stopExtraMs = 120_000;

export class PodRemoval {
  readonly #options: PodRemovalOptions;
  readonly #removals = new Map<string, Promise<void>>();

  constructor(options: PodRemovalOptions) {
    this.#options = options;
  }

  /** Resolves when the container and its logs are gone; concurrent calls share one removal. */
  container(id: string): Promise<void> {
    let removal = this.#removals.get(id);
    if (removal === undefined) {
      removal = this.#removeContainer(id).finally(() => this.#removals.delete(id));
      this.#removals.set(id, removal);
    }
    return removal;
  }

  /** Removes everything that the runtime has of the pod, running or not. */
  async pod(uid: string): Promise<void> {
    await this.#runsOf(uid);
    await this.#filesOf(uid);
  }

  /** Ends leftovers from an earlier kubelet of pods that no longer belong to this node. */
  async unknown(isKnown: (uid: string) => boolean): Promise<void> {
    const { volumes, cgroups, relist, run } = this.#options;
    const listed = [...relist.sandboxes, ...relist.containers].map(podUidOf);
    const onDisk = await volumes.podsOnDisk();
    for (const uid of new Set([...listed, ...onDisk])) {
      if (uid === '' || isKnown(uid)) continue;
      await this.#runsOf(uid);
      // A volume may have to wait for its driver, possibly a pod that this kubelet has yet to start.
      run(this.#filesOf(uid));
    }
    await cgroups.removeOthers(isKnown);
  }

  async #removeContainer(id: string): Promise<void> {
    const { cri, live, directories } = this.#options;
    const removed = live.get(id);
    await persist(() => cri.removeContainer({ containerId: id }), this.#options);
    live.forget(id);
    if (removed === undefined) return;
    const { pod, container, logFile } = removed;
    await rm(containerLogLink(directories, pod, container.name, id), { force: true });
    await rm(logFile, { force: true });
    for (const file of await rotatedFiles(logFile)) await rm(file, { force: true });
  }

  async #runsOf(uid: string): Promise<void> {
    const { cri } = this.#options;
    const filter = { labelSelector: [{ key: podUidLabel, value: uid }] };
    const { containers } = await cri.listContainers({ filter });
    for (const { id, state } of containers) {
      if (state === ContainerState.running)
        await ignoreNotFound(
          cri.stopContainer({ containerId: id, timeout: stopSecondsMin }, { timeoutMs: stopExtraMs }),
        );
      await this.container(id);
    }
    const { items } = await cri.listPodSandbox({ filter });
    for (const sandbox of items) {
      const podSandboxId = sandbox.id;
      if (isReady(sandbox)) await persist(() => cri.stopPodSandbox({ podSandboxId }), this.#options);
      await persist(() => cri.removePodSandbox({ podSandboxId }), this.#options);
    }
  }

  async #filesOf(uid: string): Promise<void> {
    const { volumes, directories } = this.#options;
    if (!(await volumes.podsOnDisk()).includes(uid)) return;
    await persist(() => volumes.unmount(uid), this.#options);
    await rm(podDirectory(directories, uid), { recursive: true, force: true });
  }
}
