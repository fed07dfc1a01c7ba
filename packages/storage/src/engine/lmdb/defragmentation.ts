import type { CommitGroup } from '../table.ts';
import { nextFileOf, putNextFileInPlace, removeNextFile } from './file-names.ts';
import { LmdbFile } from './lmdb-file.ts';
import type { Durability } from './durability.ts';
import { metaOf } from './meta.ts';
import { writeGroup } from './write-group.ts';

/** Commits wait when this much was missed while the copy was made. */
const missedBytesMax = 64 * 1024 * 1024;
const eventBytes = 500;

/**
 * A file that replaces a fragmented one. `copy` takes as long as reading and writing everything; commits meanwhile go
 * to the old file as usual, are recorded, and are then written to the new one.
 */
export class Defragmentation {
  readonly #old: LmdbFile;
  readonly #directory: string;
  readonly #durability: Durability;
  #missed: CommitGroup[] = [];
  #missedBytes = 0;
  #copied: Promise<void> | undefined;

  constructor(old: LmdbFile, directory: string, durability: Durability) {
    this.#old = old;
    this.#directory = directory;
    this.#durability = durability;
  }

  /** The record includes earlier commits as well: writing them again does no harm. */
  async copy(): Promise<void> {
    removeNextFile(this.#directory);
    this.#copied = this.#old.copyTo(nextFileOf(this.#directory));
    try {
      await this.#copied;
    } catch (failure) {
      removeNextFile(this.#directory);
      throw failure;
    }
  }

  /** Resolves at once, or after the copy when there is no more room to record missed commits. */
  async room(group: CommitGroup): Promise<void> {
    if (this.#missedBytes + bytesOf(group) > missedBytesMax) await this.#copied?.catch(() => undefined);
  }

  record(group: CommitGroup): void {
    this.#missed.push(group);
    this.#missedBytes += bytesOf(group);
  }

  /**
   * Must be called when nothing is being committed. Resolves with the new file.
   * @param announce called when it is complete, before it replaces the old one
   */
  async takePlace(announce: () => void): Promise<LmdbFile> {
    const next = new LmdbFile(nextFileOf(this.#directory), this.#durability);
    try {
      const old = metaOf(this.#old.meta);
      const [alarms, logged] = [old.alarms(), old.logged()];
      await next.together(() => {
        for (const group of this.#missed) writeGroup(next, group);
        metaOf(next.meta).setAlarms(alarms);
        metaOf(next.meta).setLogged(logged);
      });
      announce();
      putNextFileInPlace(this.#directory);
      return next;
    } catch (failure) {
      await next.close();
      removeNextFile(this.#directory);
      throw failure;
    }
  }
}

/** The approximate size of a group. */
export const bytesOf = ({ commits }: CommitGroup): number =>
  commits.reduce(
    (bytes, { events }) =>
      events.reduce(
        (sum, { entry, previous }) => sum + eventBytes + entry.value.length + (previous?.value.length ?? 0),
        bytes,
      ),
    0,
  );
