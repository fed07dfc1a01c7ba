/** Maintains a real node: eviction, garbage collection of images and containers, log rotation. */
import path from 'node:path';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { parseQuantity, quantityValue, type Clock } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import type { KubeletSettings } from './config/kubelet-configuration.ts';
import type { CriRuntime } from './containers/cri-runtime.ts';
import { millisecondsOf } from './containers/container-exit.ts';
import { containerNameLabel } from './containers/labels.ts';
import { isReady, podUidOf } from './containers/relist.ts';
import { ContainerState } from './cri/container-messages.ts';
import type { Cri } from './cri/cri-client.ts';
import { recordOf } from './cri/shared-messages.ts';
import { EvictionManager } from './eviction/eviction-manager.ts';
import { directoryOf, nodeDisks, observeNode, type NodeDisks } from './eviction/node-observer.ts';
import { KernelLog, systemOomText } from './eviction/oom-watch.ts';
import { PodUsageReader } from './eviction/pod-usage-reader.ts';
import { shortageNotice } from './eviction/shortage-notice.ts';
import type { Observations } from './eviction/signals.ts';
import { thresholdsOf } from './eviction/thresholds.ts';
import { garbageOf } from './garbage/container-garbage.ts';
import { ImageGarbage, collectEveryMs } from './garbage/image-garbage.ts';
import { removeLeftLogs } from './garbage/left-logs.ts';
import { rotateLog } from './garbage/log-rotation.ts';
import type { ImageAccess } from './images/image-access.ts';
import { filesystemUse } from './node/machine.ts';
import type { NodeState } from './node/node-state.ts';
import type { NodePods } from './worker/node-pods.ts';
import type { PodEvent } from './pod/pod-worker-context.ts';
import type { NodeEnvironment } from './real/node-environment.ts';
import type { Family } from './metrics/plain-exposition.ts';
import { Semaphore } from './semaphore.ts';

export interface HousekeepingOptions {
  readonly environment: Pick<NodeEnvironment, 'cri' | 'directories' | 'thresholds'>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly settings: KubeletSettings;
  readonly pods: NodePods;
  readonly runtime: CriRuntime;
  readonly imageAccess: ImageAccess;
  readonly event: (pod: Pod, event: PodEvent) => void;
  readonly nodeEvent: (type: PodEvent['type'], reason: string, message: string) => void;
  readonly state: NodeState;
  readonly onError: (error: unknown) => void;
}

const containerGarbageEveryMs = 60_000;
const kernelLogEveryMs = 10_000;

export class Housekeeping {
  readonly #options: HousekeepingOptions;
  readonly #disks: NodeDisks;
  readonly eviction: EvictionManager;
  readonly images: ImageGarbage;

  private constructor(options: HousekeepingOptions, disks: NodeDisks, ownImages: ReadonlySet<string>) {
    this.#options = options;
    this.#disks = disks;
    this.images = this.#imageGarbage(ownImages);
    this.eviction = this.#evictionManager();
  }

  /** @throws Error for invalid thresholds, and the runtime's errors */
  static async prepare(options: HousekeepingOptions): Promise<Housekeeping> {
    const disks = await nodeDisks(options.environment.cri, options.environment.directories.root);
    return new Housekeeping(options, disks, await runtimesOwnImages(options.environment.cri));
  }

  /** Returns a warning if the machine is already short of something at the start; undefined otherwise. */
  shortage(): string | undefined {
    const { settings, environment } = this.#options;
    return shortageNotice(thresholdsOf(settings, environment.thresholds), this.#observe(), (signal) =>
      directoryOf(this.#disks, signal),
    );
  }

  /** Metrics with upstream's names and meanings. */
  counted(): readonly Family[] {
    return [
      {
        name: 'kubelet_evictions',
        help: '[ALPHA] Cumulative number of pod evictions by eviction signal',
        type: 'counter',
        values: [...this.eviction.evictions].map(([signal, count]) => [{ eviction_signal: signal }, count]),
      },
      {
        name: 'kubelet_image_garbage_collected_total',
        help: '[ALPHA] Total number of images garbage collected by the kubelet, whether through disk usage or image age.',
        type: 'counter',
        values: Object.entries(this.images.removed)
          .filter(([, count]) => count > 0)
          .map(([reason, count]) => [{ reason }, count]),
      },
    ];
  }

  /** Runs until the signal aborts; the node's pods must be known by then. */
  async run(): Promise<void> {
    const { settings } = this.#options;
    await Promise.all([
      this.eviction.run(),
      this.#atOnceAndEvery(containerGarbageEveryMs, () => this.#collectContainers(false)),
      ...(this.images.isNeeded ? [this.#collectImages()] : []),
      this.#every(settings.containerLogMonitorInterval, () => this.#rotateLogs()),
      this.#watchKernel(),
    ]);
  }

  #evictionManager(): EvictionManager {
    const { clock, signal, settings } = this.#options;
    const { cri, directories, thresholds } = this.#options.environment;
    const { pods, event, nodeEvent, state, onError } = this.#options;
    const volumesEveryMs = settings.volumeStatsAggPeriod;
    const reader = new PodUsageReader({ cri, clock, directories, volumesEveryMs });
    return new EvictionManager({
      clock,
      signal,
      thresholds: thresholdsOf(settings, thresholds),
      layout: this.#disks.layout,
      transitionMs: settings.evictionPressureTransitionPeriod,
      softGraceMsMax: settings.evictionMaxPodGracePeriod * 1000,
      limitsStorage: settings.localStorageCapacityIsolation,
      observe: () => this.#observe(),
      uses: (pods) => reader.read(pods),
      activePods: () => pods.active(),
      end: (uid, order) => pods.end(uid, order),
      removeDeadContainers: () => this.#collectContainers(true),
      removeUnusedImages: () => this.images.removeUnused(),
      event,
      nodeEvent,
      pressuresChanged: (pressures) => state.pressuresChanged(pressures),
      onError,
    });
  }

  #observe(): Observations {
    return observeNode(this.#disks, path.join(this.#options.settings.cgroupRoot || '/', 'kubepods'));
  }

  #imageGarbage(ownImages: ReadonlySet<string>): ImageGarbage {
    const { environment, clock, settings, runtime, nodeEvent } = this.#options;
    const { cri } = environment;
    return new ImageGarbage({
      clock,
      settings,
      async images() {
        const { images } = await cri.listImages({});
        return images.map(({ id, size, pinned, repoTags }) => ({
          id,
          sizeBytes: size,
          isPinned: pinned || repoTags.some((tag) => ownImages.has(tag)),
        }));
      },
      used: () => new Set(runtime.relist.containers.flatMap(({ imageId, imageRef }) => [imageId, imageRef])),
      remove: async (image) => void (await cri.removeImage({ image: { image } })),
      disk: () => filesystemUse(this.#disks.imageDirectory),
      nodeEvent,
    });
  }

  /** A first failure may be due to the node just having started; only repeated ones are reported. */
  async #collectImages(): Promise<void> {
    const { clock, imageAccess, nodeEvent } = this.#options;
    let hasFailed = false;
    await this.#atOnceAndEvery(collectEveryMs, async () => {
      const beganMs = clock.now();
      try {
        await this.images.collect();
        hasFailed = false;
        imageAccess.prune(this.images.present, beganMs);
      } catch (error) {
        if (hasFailed) nodeEvent('Warning', 'ImageGCFailed', messageOf(error));
        hasFailed = true;
        throw error;
      }
    });
  }

  async #collectContainers(isUrgent: boolean): Promise<void> {
    const { environment, clock, runtime, pods } = this.#options;
    const { cri, directories } = environment;
    const isKnown = (uid: string) => pods.byUid(uid) !== undefined;
    const [{ containers }, { items }] = await Promise.all([cri.listContainers({}), cri.listPodSandbox({})]);
    const { containers: dead, sandboxes } = garbageOf(
      {
        containers: containers.map((each) => ({
          id: each.id,
          podUid: podUidOf(each),
          sandboxId: each.podSandboxId,
          name: recordOf(each.labels)[containerNameLabel] ?? '',
          createdMs: millisecondsOf(each.createdAt),
          isRunning: each.state === ContainerState.running,
        })),
        sandboxes: items.map((each) => ({
          id: each.id,
          podUid: podUidOf(each),
          createdMs: millisecondsOf(each.createdAt),
          isReady: isReady(each),
        })),
        isKnown,
        hasEnded: (uid) => pods.hasEnded(uid),
        isReferred: (id) => pods.refersTo(id),
        isUrgent,
      },
      clock,
    );
    for (const id of dead) await runtime.dropContainer(id);
    for (const podSandboxId of sandboxes) {
      await cri.stopPodSandbox({ podSandboxId });
      await cri.removePodSandbox({ podSandboxId });
    }
    // A pod whose object is gone may still be stopping.
    const alive = new Set(containers.filter(({ state }) => state === ContainerState.running).map(podUidOf));
    await removeLeftLogs(directories, (uid) => isKnown(uid) || alive.has(uid), clock.now());
  }

  async #rotateLogs(): Promise<void> {
    const { environment, clock, runtime, settings, onError } = this.#options;
    const { cri } = environment;
    const bytesMax = quantityValue(parseQuantity(settings.containerLogMaxSize));
    if (bytesMax < 0) return;
    const rotation = { bytesMax, filesMax: settings.containerLogMaxFiles };
    const turns = new Semaphore(settings.containerLogMaxWorkers);
    await Promise.all(
      runtime.runningLogs().map(({ id, file }) => {
        const reopen = async () => void (await cri.reopenContainerLog({ containerId: id }));
        return turns.take(() => rotateLog({ file, reopen }, rotation, clock.now())).catch(onError);
      }),
    );
  }

  async #watchKernel(): Promise<void> {
    const log = new KernelLog();
    await this.#every(kernelLogEveryMs, async () => {
      for (const each of log.systemOoms())
        this.#options.nodeEvent('Warning', 'SystemOOM', systemOomText(each));
    });
    log.close();
  }

  async #atOnceAndEvery(delayMs: number, action: () => Promise<void>): Promise<void> {
    await action().catch(this.#options.onError);
    await this.#every(delayMs, action);
  }

  async #every(delayMs: number, action: () => Promise<void>): Promise<void> {
    const { clock, signal, onError } = this.#options;
    while (!signal.aborted) {
      await clock.sleep(delayMs, signal).catch(() => undefined);
      if (!signal.aborted) await action().catch(onError);
    }
  }
}

/** The images of sandboxes: a runtime that doesn't pin them would have to pull them again. */
async function runtimesOwnImages(cri: Cri): Promise<ReadonlySet<string>> {
  const { info } = await cri.status({ verbose: true }).catch(() => ({ info: [] }));
  try {
    const config = JSON.parse(recordOf(info)['config'] ?? '{}') as { readonly sandboxImage?: string };
    return new Set(config.sandboxImage === undefined ? [] : [config.sandboxImage]);
  } catch {
    return new Set();
  }
}
