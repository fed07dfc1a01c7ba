import { systemClock } from '@coxswain/apimachinery';
import type { Clock } from '@coxswain/apimachinery';
import { EngineStorage } from '../engine-storage.ts';
import { LoggedTable } from '../log/logged-table.ts';
import { overlayOf } from '../log/replay.ts';
import { WriteAheadLog, readLog } from '../log/write-ahead-log.ts';
import { MvccEngine } from '../mvcc-engine.ts';
import type { EngineOptions } from '../mvcc-engine.ts';
import { LmdbTable } from './lmdb-table.ts';
import type { Durability } from './lmdb-file.ts';

export type { Durability } from './lmdb-file.ts';

export interface LmdbOptions extends Partial<EngineOptions> {
  readonly directory: string;
  /** 'sync' unless a user asks for less by name. */
  readonly durability?: Durability;
  /** Told what takes long at the start. */
  readonly log?: (line: string) => void;
}

/** A store in a directory of this machine. One process at a time. */
export class LmdbStorage extends EngineStorage<MvccEngine> {
  /** @throws StorageError 'locked' | 'corrupt' | 'unavailable' */
  constructor({ directory, durability = 'sync', log, ...options }: LmdbOptions) {
    const whole: EngineOptions = { clock: systemClock, ...options };
    super(new MvccEngine(openTable(directory, durability, whole.clock, log), whole), whole.clock);
  }
}

function openTable(
  directory: string,
  durability: Durability,
  clock: Clock,
  log: LmdbOptions['log'],
): LoggedTable {
  const tables = new LmdbTable(directory, durability, log);
  try {
    const found = readLog(directory, tables.logged);
    const overlay = overlayOf((key) => tables.get(key), found, tables.revision);
    return new LoggedTable(tables, overlay, WriteAheadLog.open(directory, durability, found, clock));
  } catch (failure) {
    void tables.close();
    throw failure;
  }
}
