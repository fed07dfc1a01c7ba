import { runNft, type RunNft } from '@coxswain/nftables';
import type { TablePlan } from '../plan/table-plan.ts';
import { noTable, tableChanges, wholeTable } from './table-text.ts';

/** Holds what was planned; a call with the same plan costs nothing. */
export interface PolicyTable {
  /** Resolves when it is in effect, all at once. @throws Error when nothing of it is; the next call brings all */
  load(plan: TablePlan): Promise<void>;
  /** Looks whether the table is still there: where a firewall has emptied everything, the next load brings all. */
  check(): Promise<void>;
  /** Nothing is refused any more. */
  remove(): Promise<void>;
}

export interface NftTableOptions {
  /** `nft` where the pods' packets pass; here when absent. */
  readonly run?: RunNft;
  /** Of the table. */
  readonly name?: string;
}

/**
 * A table of nftables that is ours alone. The first load replaces what an earlier process left there in one
 * transaction, so that no packet passes between; then only differences are loaded.
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
    // Until it is done, it is not known what stands.
    this.#loaded = undefined;
    if (known === undefined) await this.#run(wholeTable(this.#table, plan));
    else {
      const changes = tableChanges(this.#table, known, plan);
      // They fail where somebody else has changed the table.
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
