import { systemClock, type Clock } from '@coxswain/apimachinery';
import { EngineStorage } from '../engine-storage.ts';
import { LoggedTable, type CheckpointBounds } from '../log/logged-table.ts';
import { overlayOf } from '../log/replay.ts';
import { WriteAheadLog, readLog } from '../log/write-ahead-log.ts';
import { MvccEngine, type EngineOptions } from '../mvcc-engine.ts';
import { LmdbTable } from './lmdb-table.ts';
import type { Durability } from './durability.ts';
import { OpeningProgress } from './opening-progress.ts';

export type { Durability } from './durability.ts';

export interface LmdbOptions extends Partial<EngineOptions> {
  readonly directory: string;
  /** 'sync' unless configured otherwise. */
  readonly durability?: Durability;
  /** When commits are moved from the log into the tables. */
  readonly checkpoints?: CheckpointBounds;
  /** Receives progress messages of a slow start. */
  readonly log?: (line: string) => void;
}

/** A store in a directory of this machine. Only one process can use it at a time. */
export class LmdbStorage extends EngineStorage<MvccEngine> {
  /** @throws StorageError 'locked' | 'corrupt' | 'unavailable' */
  constructor(settings: LmdbOptions) {
    const whole: EngineOptions = { ...settings, clock: settings.clock ?? systemClock };
    super(new MvccEngine(openTable(settings, whole.clock), whole), whole.clock);
  }

  /** For health checks: a problem that keeps it from working properly. */
  get problem(): string | undefined {
    return this.engine.problem;
  }
}

function openTable(settings: LmdbOptions, clock: Clock): LoggedTable {
  const { directory, durability = 'sync', checkpoints, log = () => undefined } = settings;
  const progress = new OpeningProgress(directory, log, clock);
  const tables = new LmdbTable(directory, durability, clock, log, progress);
  try {
    // Reads it now, so that damage is refused while the directory can still be released.
    void tables.opened;
    progress.at('reading the log');
    const found = readLog(directory, tables.logged, tables.superblock.state);
    const overlay = overlayOf((key) => tables.get(key), found.records, tables.revision, progress);
    const ahead = WriteAheadLog.open(directory, durability, found, clock, tables.superblock);
    return new LoggedTable(tables, overlay, ahead, clock, checkpoints);
  } catch (failure) {
    tables.abandon();
    throw failure;
  }
}
