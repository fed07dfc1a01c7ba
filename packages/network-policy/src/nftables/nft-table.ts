import { spawn } from 'node:child_process';
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
  /** `nft`, or the same inside of another network namespace: `['ip', 'netns', 'exec', 'a', 'nft']` */
  readonly command?: readonly string[];
  /** Of the table. */
  readonly name?: string;
}

/** As long as a transaction of a busy machine may take, and no longer. */
const loadMsMax = 60_000;
const complaintLengthMax = 1_000;

/**
 * A table of nftables that is ours alone. The first load replaces what an earlier process left there in one
 * transaction, so that no packet passes between; then only differences are loaded.
 */
export class NftTable implements PolicyTable {
  readonly #command: readonly string[];
  readonly #table: string;
  #loaded: TablePlan | undefined;

  constructor({ command = ['nft'], name = 'coxswain-network-policy' }: NftTableOptions = {}) {
    this.#command = command;
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

  #run(text: string): Promise<void> {
    return runNft(this.#command, text);
  }
}

/** Why packets can't be filtered here; undefined when they can. */
export const whyNoNftables = (command: readonly string[] = ['nft']): Promise<string | undefined> =>
  runNft(command, 'list tables\n').then(
    () => undefined,
    (error: Error) => error.message,
  );

function runNft(command: readonly string[], text: string): Promise<void> {
  const [program = 'nft', ...args] = command;
  return new Promise((resolve, reject) => {
    const child = spawn(program, [...args, '-f', '-'], {
      stdio: ['pipe', 'ignore', 'pipe'],
      timeout: loadMsMax,
    });
    let complaint = '';
    child.stderr.on('data', (chunk: Buffer) => {
      if (complaint.length < complaintLengthMax) complaint += chunk.toString();
    });
    child.once('error', reject);
    child.once('close', (code) =>
      code === 0
        ? resolve()
        : reject(new Error(`nft ended with ${code}: ${complaint.slice(0, complaintLengthMax)}`)),
    );
    // It may end before it has read everything; its exit tells why.
    child.stdin.on('error', () => {});
    child.stdin.end(text);
  });
}
