/** What a comparison with the original has measured. */

export interface BesideOriginal {
  readonly date: string;
  readonly commit: string;
  readonly machine: string;
  /** Load averages of the machine at the end, over 1, 5 and 15 minutes. */
  readonly load: readonly number[];
  readonly steps: readonly {
    readonly id: string;
    /** Work per second of processor time, ours by the original's, of each pair of runs. */
    readonly ratios: readonly number[];
  }[];
}
