/** Stores decided writes in groups: all that arrive while one group is being stored form the next. */

import type { Commit, LeaseChange, Table } from './table.ts';

/** With this many writes in one turn, more are expected to follow. */
const crowdMin = 16;
/** The maximum number of turns that a group waits for more writes. */
const gatheredTurnsMax = 4;

/** A decided transaction, or a change of leases, that is not durable yet. */
export interface Staged {
  readonly commit: Commit | undefined;
  readonly lease: LeaseChange | undefined;
  readonly resolve: () => void;
  readonly reject: (failure: Error) => void;
}

export interface GroupCommitOptions {
  /** The table that the next group goes to. */
  table(): Table;
  /** The group is durable. */
  stored(group: readonly Staged[]): void;
  /** The group could not be stored; `lost` are also all writes decided after it. */
  failed(lost: readonly Staged[], cause: unknown): void;
}

export class GroupCommit {
  readonly #options: GroupCommitOptions;
  #staged: Staged[] = [];
  #storing: Promise<void> | undefined;
  #busy = false;

  constructor(options: GroupCommitOptions) {
    this.#options = options;
  }

  /** Resolves when no group is being stored. */
  async settled(): Promise<void> {
    while (this.#storing !== undefined) await this.#storing;
  }

  /** Resolves when the write is durable and published. */
  store(commit: Commit | undefined, lease: LeaseChange | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#staged.push({ commit, lease, resolve, reject });
      this.#storeStaged();
    });
  }

  /** One group at a time. Writes that a subscriber makes while it is notified of a revision belong to the next one. */
  #storeStaged(): void {
    if (this.#busy) return;
    this.#busy = true;
    while (this.#staged.length > 0 && this.#storing === undefined) {
      const stored = this.#options.table().gather === undefined ? this.#storeNext() : this.#storeGathered(1);
      this.#storing = stored?.then(() => {
        this.#storing = undefined;
        this.#storeStaged();
      });
    }
    this.#busy = false;
  }

  /** As long as each turn brings many more writes, the group grows: a crowd of writers needs fewer writes and syncs. */
  async #storeGathered(turn: number): Promise<void> {
    const known = this.#staged.length;
    await this.#options.table().gather!();
    const isCrowded = this.#staged.length - known >= crowdMin && turn < gatheredTurnsMax;
    await (isCrowded ? this.#storeGathered(turn + 1) : this.#storeNext());
  }

  #storeNext(): Promise<void> | undefined {
    const group = this.#staged;
    this.#staged = [];
    return this.#storeGroup(group);
  }

  #storeGroup(group: readonly Staged[]): Promise<void> | undefined {
    let stored: Promise<void> | undefined;
    try {
      stored = this.#options.table().commit({
        commits: group.flatMap(({ commit }) => commit ?? []),
        leases: group.flatMap(({ lease }) => lease ?? []),
      });
    } catch (failure) {
      this.#fail(group, failure);
      return undefined;
    }
    if (stored === undefined) {
      this.#options.stored(group);
      return undefined;
    }
    return stored.then(
      () => this.#options.stored(group),
      (failure: unknown) => this.#fail(group, failure),
    );
  }

  /** Nothing decided after a failed commit may stand, since it may depend on it. */
  #fail(group: readonly Staged[], cause: unknown): void {
    const lost = [...group, ...this.#staged];
    this.#staged = [];
    this.#options.failed(lost, cause);
  }
}
