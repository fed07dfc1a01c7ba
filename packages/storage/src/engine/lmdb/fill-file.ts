import type { Entry, Revision } from '../../storage.ts';
import type { LogRecord, StoredLease } from '../table.ts';
import { encodeLease, leaseKey } from './lease-record.ts';
import type { LmdbFile } from './lmdb-file.ts';
import { metaOf } from './meta.ts';
import { encodeEntry, encodeKey, encodeLogKey, encodeLogRecord } from './record.ts';
import { putLeased } from './write-group.ts';

/** The size of a transaction. */
const batchBytesMax = 8 * 1024 * 1024;
const rowBytes = 100;

/** Fills an empty file in the current layout with data from elsewhere. `finish` writes the rest. */
export class FileFiller {
  readonly #file: LmdbFile;
  #waiting: (() => void)[] = [];
  #waitingBytes = 0;
  #lastRevision: Revision = 0;
  #index = 0;

  constructor(file: LmdbFile) {
    this.#file = file;
  }

  addEntry(entry: Entry): void {
    this.#add(entry.value.length, () => {
      const key = encodeKey(entry.key);
      void this.#file.head.put(key, encodeEntry(key, entry));
      if (entry.leaseId !== undefined) putLeased(this.#file, leaseKey(entry.leaseId, key));
    });
  }

  /** Oldest first. */
  addRecord({ revision, type, key, previous }: LogRecord): void {
    this.#index = revision === this.#lastRevision ? this.#index + 1 : 0;
    this.#lastRevision = revision;
    const logKey = encodeLogKey(revision, this.#index);
    this.#add(
      previous?.value.length ?? 0,
      () => void this.#file.log.put(logKey, encodeLogRecord(logKey, type, key, previous)),
    );
  }

  addLease(lease: StoredLease): void {
    this.#add(0, () => void this.#file.leases.put(leaseKey(lease.id), encodeLease(lease)));
  }

  finish(store: string, compacted: Revision): void {
    const meta = { store, compacted, logged: 0, alarms: [] };
    this.#waiting.push(() => metaOf(this.#file.meta).write(meta));
    this.#flush();
  }

  #add(bytes: number, write: () => void): void {
    this.#waiting.push(write);
    this.#waitingBytes += bytes + rowBytes;
    if (this.#waitingBytes >= batchBytesMax) this.#flush();
  }

  #flush(): void {
    const writes = this.#waiting;
    this.#waiting = [];
    this.#waitingBytes = 0;
    this.#file.togetherAtOnce(() => {
      for (const write of writes) write();
    });
  }
}
