/**
 * Keeps the kernel's table of one address family up to date: with small transactions, or with a complete one after a
 * failure.
 */
import type { Clock } from '@coxswain/apimachinery';
import type { RunNft } from '@coxswain/nftables';
import type { PlanChanges } from '../model/service-rule.ts';
import { kernelTable, type KernelTable } from './kernel-table.ts';
import { tableName, tableOf, type TableOptions } from './table-options.ts';
import { TableState, type Transaction } from './table-state.ts';

/** How often everything is rewritten even without changes, since other programs may have modified the table. */
const everythingPeriodMs = 3_600_000;
/** Kernels before 6.2 release a chain only some time after the last map that refers to it is gone. */
const staleChainMs = 1_000;

export interface TableEvents {
  readonly syncFailed?: (family: TableOptions['family'], error: unknown) => void;
  readonly cleanupFailed?: (family: TableOptions['family'], error: unknown) => void;
  readonly synced?: (family: TableOptions['family'], isFull: boolean, seconds: number) => void;
}

export class FamilyTable {
  #options: TableOptions;
  readonly #run: RunNft;
  readonly #clock: Clock;
  readonly #events: TableEvents;
  readonly #state: TableState;
  #needsEverything = true;
  #lastEverythingMs = 0;
  readonly #stale = new Map<string, number>();

  constructor(options: TableOptions, run: RunNft, clock: Clock, events: TableEvents) {
    this.#options = options;
    this.#state = new TableState(options);
    this.#run = run;
    this.#clock = clock;
    this.#events = events;
  }

  setServiceCidrs(serviceCidrs: readonly string[]): void {
    const { serviceCidrs: before = [] } = this.#options;
    if (before.join() === serviceCidrs.join()) return;
    this.#options = { ...this.#options, serviceCidrs };
    this.#state.setOptions(this.#options);
    this.#needsEverything = true;
  }

  /** Milliseconds until stale chains can be deleted; undefined if there are none. @throws Error from nft */
  async sync(changes: PlanChanges): Promise<number | undefined> {
    const startMs = this.#clock.monotonic();
    const { family } = this.#options;
    for (const [key, plan] of changes) this.#state.setService(key, plan?.rules);
    await this.#removeStale();
    let isFull = this.#isEverythingDue();
    try {
      if (!isFull) isFull = !(await this.#writeChanges());
      if (isFull) await this.#writeEverything();
    } catch (error) {
      this.#needsEverything = true;
      this.#stale.clear();
      this.#events.syncFailed?.(family, error);
      throw error;
    }
    this.#events.synced?.(family, isFull, (this.#clock.monotonic() - startMs) / 1000);
    return this.#stale.size > 0 ? staleChainMs : undefined;
  }

  #isEverythingDue(): boolean {
    return this.#needsEverything || this.#clock.monotonic() - this.#lastEverythingMs > everythingPeriodMs;
  }

  /** Returns false on failure; everything must then be rewritten. */
  async #writeChanges(): Promise<boolean> {
    const transaction = this.#state.takeChanges();
    if (transaction.text === '') return true;
    try {
      await this.#commit(transaction);
      return true;
    } catch (error) {
      this.#events.syncFailed?.(this.#options.family, error);
      return false;
    }
  }

  async #writeEverything(): Promise<void> {
    await this.#commit(this.#state.takeEverything(await this.#kernel()));
    this.#needsEverything = false;
    this.#lastEverythingMs = this.#clock.monotonic();
  }

  async #commit({ text, liveChains, staleChains }: Transaction): Promise<void> {
    await this.#run(['-f', '-'], text);
    for (const chain of liveChains) this.#stale.delete(chain);
    for (const chain of staleChains) this.#stale.set(chain, this.#clock.monotonic());
  }

  async #removeStale(): Promise<void> {
    const due = [...this.#stale].filter(([, sinceMs]) => this.#clock.monotonic() - sinceMs >= staleChainMs);
    if (due.length === 0) return;
    const table = tableOf(this.#options);
    for (const [chain] of due) this.#stale.delete(chain);
    try {
      await this.#run(['-f', '-'], due.map(([chain]) => `delete chain ${table} ${chain}\n`).join(''));
    } catch (error) {
      // Remaining chains are found at the next complete write.
      this.#needsEverything = true;
      this.#events.cleanupFailed?.(this.#options.family, error);
    }
  }

  async #kernel(): Promise<KernelTable> {
    const family = tableOf(this.#options).split(' ')[0]!;
    return kernelTable(
      await Promise.all(
        ['chains', 'sets', 'maps'].map((what) => this.#run(['-j', '-t', 'list', what, family], '')),
      ),
    );
  }
}

/** Removes the tables of both families. @throws Error from nft */
export async function removeTables(run: RunNft): Promise<void> {
  // Added first, since there is no other way to delete a table that may not exist.
  const commands = ['ip', 'ip6'].map(
    (family) => `add table ${family} ${tableName}\ndelete table ${family} ${tableName}\n`,
  );
  await run(['-f', '-'], commands.join(''));
}
