/**
 * Removes unused images: those that have been unused for too long, and as many as necessary when their disk is full.
 */
import type { Clock } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import type { FilesystemUse } from '../node/machine.ts';

export interface StoredImage {
  readonly id: string;
  readonly sizeBytes: number;
  /** Whether the runtime itself needs it. */
  readonly isPinned: boolean;
}

export interface ImageGarbageOptions {
  readonly clock: Clock;
  readonly settings: {
    readonly imageMinimumGCAge: number;
    /** 0: no maximum age. */
    readonly imageMaximumGCAge: number;
    readonly imageGCHighThresholdPercent: number;
    readonly imageGCLowThresholdPercent: number;
  };
  readonly images: () => Promise<readonly StoredImage[]>;
  /** The IDs of images that any container, running or not, was created from. */
  readonly used: () => ReadonlySet<string>;
  readonly remove: (id: string) => Promise<void>;
  readonly disk: () => FilesystemUse;
  readonly nodeEvent: (type: 'Warning', reason: string, message: string) => void;
}

interface ImageRecord {
  readonly image: StoredImage;
  readonly seenMs: number;
  /** 0 for an image that was never seen in use. */
  readonly usedMs: number;
}

/** The interval of collections. */
export const collectEveryMs = 5 * 60_000;

export class ImageGarbage {
  readonly #options: ImageGarbageOptions;
  readonly #startMs: number;
  readonly #removed = { age: 0, space: 0 };
  #records: ReadonlyMap<string, ImageRecord> = new Map();

  constructor(options: ImageGarbageOptions) {
    this.#options = options;
    this.#startMs = options.clock.now();
  }

  /** Whether there can be anything to do. */
  get isNeeded(): boolean {
    const { imageGCHighThresholdPercent, imageMaximumGCAge } = this.#options.settings;
    return imageGCHighThresholdPercent < 100 || imageMaximumGCAge > 0;
  }

  /** The number of removed images, by reason. */
  get removed(): Readonly<Record<'age' | 'space', number>> {
    return this.#removed;
  }

  /** The IDs of images present at the last observation. */
  get present(): ReadonlySet<string> {
    return new Set(this.#records.keys());
  }

  /** Records which images exist and which are in use. @throws the runtime's error */
  async look(): Promise<void> {
    const { clock, images, used } = this.#options;
    const [all, inUse, nowMs] = [await images(), used(), clock.now()];
    this.#records = new Map(
      all.map((image) => {
        const known = this.#records.get(image.id);
        const usedMs = inUse.has(image.id) ? nowMs : (known?.usedMs ?? 0);
        return [image.id, { image, seenMs: known?.seenMs ?? nowMs, usedMs }];
      }),
    );
  }

  /** @throws Error if the disk remains too full, or images can't be removed */
  async collect(): Promise<void> {
    const { disk, settings, nodeEvent } = this.#options;
    const candidates = await this.#removeOld(await this.#candidates());
    const { capacityBytes, availableBytes: left } = disk();
    if (capacityBytes === 0) {
      const message = 'invalid capacity 0 on image filesystem';
      nodeEvent('Warning', 'InvalidDiskCapacity', message);
      throw new Error(message);
    }
    const availableBytes = Math.min(left, capacityBytes);
    const usedPercent = 100 - Math.trunc((availableBytes * 100) / capacityBytes);
    if (usedPercent < settings.imageGCHighThresholdPercent) return;
    const wantedBytes =
      Math.trunc((capacityBytes * (100 - settings.imageGCLowThresholdPercent)) / 100) - availableBytes;
    const freedBytes = await this.#removeUntil(wantedBytes, candidates);
    if (freedBytes >= wantedBytes) return;
    const message = stillFull(usedPercent, capacityBytes, freedBytes);
    nodeEvent('Warning', 'FreeDiskSpaceFailed', message);
    throw new Error(message);
  }

  /** Removes all unused images except very new ones. @throws Error if images can't be removed */
  async removeUnused(): Promise<void> {
    await this.#removeUntil(Infinity, await this.#candidates());
  }

  /** The least recently used images come first. */
  async #candidates(): Promise<readonly ImageRecord[]> {
    await this.look();
    const used = this.#options.used();
    return [...this.#records.values()]
      .filter(({ image }) => !used.has(image.id) && !image.isPinned)
      .sort((a, b) => a.usedMs - b.usedMs || a.seenMs - b.seenMs);
  }

  /** Resolves with the remaining images. Ages are known only after the kubelet has run for that long itself. */
  async #removeOld(candidates: readonly ImageRecord[]): Promise<readonly ImageRecord[]> {
    const { clock, settings } = this.#options;
    const nowMs = clock.now();
    const ageMsMax = settings.imageMaximumGCAge;
    if (ageMsMax === 0 || nowMs - this.#startMs <= ageMsMax) return candidates;
    const old = candidates.filter(({ usedMs }) => nowMs - usedMs > ageMsMax);
    const failures = (await this.#removeEach(old, 'age')).filter((each) => each !== undefined);
    if (failures.length > 0)
      throw new Error(
        `wanted to free images older than ${ageMsMax} ms, encountered errors in image deletion: ${failures.join(', ')}`,
      );
    return candidates.filter((each) => !old.includes(each));
  }

  async #removeUntil(wantedBytes: number, candidates: readonly ImageRecord[]): Promise<number> {
    const { clock, settings } = this.#options;
    const nowMs = clock.now();
    const failures: string[] = [];
    let freedBytes = 0;
    for (const record of candidates) {
      if (nowMs - record.seenMs < settings.imageMinimumGCAge) continue;
      const [failure] = await this.#removeEach([record], 'space');
      if (failure !== undefined) failures.push(failure);
      else freedBytes += record.image.sizeBytes;
      if (freedBytes >= wantedBytes) break;
    }
    if (failures.length > 0)
      throw new Error(
        `wanted to free ${wantedBytes} bytes, but freed ${freedBytes} bytes space with errors in image deletion: ${failures.join(', ')}`,
      );
    return freedBytes;
  }

  /** Resolves with the errors. */
  async #removeEach(
    records: readonly ImageRecord[],
    why: 'age' | 'space',
  ): Promise<readonly (string | undefined)[]> {
    const failures: (string | undefined)[] = [];
    for (const { image } of records) {
      try {
        await this.#options.remove(image.id);
        this.#removed[why]++;
        failures.push(undefined);
      } catch (error) {
        failures.push(messageOf(error));
      }
    }
    return failures;
  }
}

const stillFull = (usedPercent: number, capacityBytes: number, freedBytes: number): string =>
  `Insufficient free disk space on the node's image filesystem (${usedPercent}% of ${sizeText(capacityBytes)} used). ` +
  `Failed to free sufficient space by deleting unused images (freed ${freedBytes} bytes). ` +
  'Investigate disk usage, as it could be used by active images, logs, volumes, or other data.';

/** `1.5 GiB` */
function sizeText(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  const power = Math.min(4, Math.floor(Math.log2(bytes) / 10));
  return `${(bytes / 1024 ** power).toFixed(1)} ${['', 'KiB', 'MiB', 'GiB', 'TiB'][power]}`;
}
