import type { CommitGroup } from '../table.ts';
import { nextFileOf, putNextFileInPlace, removeNextFile } from './file-names.ts';
import { LmdbFile } from './lmdb-file.ts';
import type { Durability } from './durability.ts';
import { metaOf } from './meta.ts';
import { writeGroup } from './write-group.ts';

/** Commits wait when so much came while the copy was being made. */
const missedBytesMax = 64 * 1024 * 1024;
const eventBytes = 500;

/**
 * A file that takes the place of a fragmented one. `copy` takes as long as reading and writing all of it does;
 * what is committed meanwhile goes to the old file as always, is recorded, and written again to the new one.
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

  /** Recorded is what was committed before the copy began, too: it is written again to no harm. */
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

  /** Resolves at once, or after the copy when there is no more room to remember what it misses. */
  async room(group: CommitGroup): Promise<void> {
    if (this.#missedBytes + bytesOf(group) > missedBytesMax) await this.#copied?.catch(() => undefined);
  }

  record(group: CommitGroup): void {
    this.#missed.push(group);
    this.#missedBytes += bytesOf(group);
  }

  /**
   * To be called when nothing is being committed. Resolves with the file to go on with.
   * @param announce is called when it is whole, before it takes the place of the old one
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

/** What a group takes, about. */
export const bytesOf = ({ commits }: CommitGroup): number =>
  commits.reduce(
    (bytes, { events }) =>
      events.reduce(
        (sum, { entry, previous }) => sum + eventBytes + entry.value.length + (previous?.value.length ?? 0),
        bytes,
      ),
    0,
  );
