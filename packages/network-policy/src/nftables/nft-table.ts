import { runNft, type RunNft } from '@coxswain/nftables';
import type { TablePlan } from '../plan/table-plan.ts';
import { noTable, tableChanges, wholeTable } from './table-text.ts';

/** Loads a plan; a call with an unchanged plan costs nothing. */
export interface PolicyTable {
  /** Resolves when the whole plan is in effect. @throws Error if none of it is; the next call then loads everything */
  load(plan: TablePlan): Promise<void>;
  /** Checks whether the table still exists. If a firewall has flushed everything, the next load adds it again. */
  check(): Promise<void>;
  /** Removes all restrictions. */
  remove(): Promise<void>;
}

export interface NftTableOptions {
  /** `nft` in the network of the pods; defaults to that of this process. */
  readonly run?: RunNft;
  /** The name of the table. */
  readonly name?: string;
}

/**
 * An nftables table of our own. The first load replaces the table of an earlier process in one transaction, so that no
 * packet slips through. Later loads contain only differences.
 */
export class NftTable implements PolicyTable {
  readonly #runNft: RunNft;
  readonly #table: string;
  #loaded: TablePlan | undefined;

  constructor({ run = runNft, name = 'coxswain-network-policy' }: NftTableOptions = {}) {
    this.#runNft = run;
    this.#table = `inet ${name}`;
  }

  async load(plan: TablePlan): Promise<void> {
    const known = this.#loaded;
    // Until it has completed, the state of the kernel is unknown.
    this.#loaded = undefined;
    if (known === undefined) await this.#run(wholeTable(this.#table, plan));
    else {
      const changes = tableChanges(this.#table, known, plan);
      // They fail if another program has changed the table.
      if (changes !== '') await this.#run(changes).catch(() => this.#run(wholeTable(this.#table, plan)));
    }
    this.#loaded = plan;
  }

  async check(): Promise<void> {
    if (this.#loaded === undefined) return;
    await this.#run(`list chain ${this.#table} ingress\n`).catch(() => (this.#loaded = undefined));
  }

  async remove(): Promise<void> {
    this.#loaded = undefined;
    await this.#run(noTable(this.#table));
  }

  async #run(text: string): Promise<void> {
    await this.#runNft(['-f', '-'], text);
  }
}
